#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/describer.hpp>
#include <bowhist/library/ingest.hpp>
#include <bowhist/library/integrity.hpp>
#include <bowhist/library/learning.hpp>
#include <bowhist/library/library_file.hpp>
#include <bowhist/library/update.hpp>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

using namespace bowhist;
using namespace std::chrono_literals;

namespace {

/// Boxes on grey, another image for each seed: so large that a batch is 15 of them.
void write_image(const std::filesystem::path &path, unsigned seed) {
    constexpr std::size_t side = 400;
    std::mt19937 random(seed);
    std::string pixels(side * side, '\x80');
    for (int box = 0; box < 300; ++box) {
        const std::size_t left = random() % (side - 24);
        const std::size_t top = random() % (side - 24);
        const char grey = static_cast<char>(random());
        for (std::size_t y = top; y < top + 4 + box % 20U; ++y)
            pixels.replace(y * side + left, 16, 16, grey);
    }
    std::ofstream(path, std::ios::binary) << "P5\n400 400\n255\n" << pixels;
}

bool wait_for(const std::function<bool()> &condition, std::chrono::milliseconds most) {
    const auto end = std::chrono::steady_clock::now() + most;
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return condition();
}

/// Interrupts the run over images at the very moment when another thread describes a
/// batch.
struct Moment {
    std::atomic<bool> describes = false;
    std::atomic<bool> stopped = false;

    class OfImages : public Observer {
      public:
        explicit OfImages(Moment &moment) : moment_(moment) {}
        bool interrupted() const override {
            if (moment_.describes) moment_.stopped = true;
            return moment_.stopped;
        }

      private:
        Moment &moment_;
    };

    /// Of the describer: it waits until the run is interrupted and, should that reach its loops, a
    /// while longer until it does.
    class OfDescriptions : public Observer {
      public:
        explicit OfDescriptions(Moment &moment) : moment_(moment) {}
        bool interrupted() const override {
            moment_.describes = true;
            if (moment_.stopped) return false;
            if (wait_for([&] { return moment_.stopped.load(); }, 10s))
                wait_for([] { return tbb::is_current_task_group_canceling(); }, 300ms);
            return false;
        }

      private:
        Moment &moment_;
    };
};

} // namespace

TEST_CASE("ingest: A run that is interrupted while a batch is described commits whole rows") {
    const TemporaryFolder folder;
    const auto images = folder.path() / "images";
    std::filesystem::create_directory(images);
    constexpr unsigned count = 40;
    for (unsigned i = 0; i < count; ++i) write_image(images / fmt::format("{}.pgm", i), i);
    IndexRequest request{.library = folder.path() / "p.bow"};
    request.inputs.arguments = {(images / "0.pgm").native(), (images / "1.pgm").native(),
                                (images / "2.pgm").native()};
    request.words_k = 16;
    request.code_k = 4;
    request.describe.level.level = "simd";
    Observer silent;
    index_library(request, silent);

    const WriterLock lock(request.library, 0);
    const auto database = open_to_write(request.library);
    Catalogue catalogue(*database);
    const LibraryModels models = models_in(catalogue);
    Moment moment;
    Moment::OfImages of_images(moment);
    Moment::OfDescriptions of_descriptions(moment);
    Describer describer(models, request.describe, of_descriptions);
    moment.describes = false; // making it asked, too
    IngestOptions options;
    options.stream.threads = 2;
    Ingest ingest(catalogue, &describer, options, of_images);
    const RowId root = catalogue.put_root({.path = images.native()}).id;
    const RowId below = catalogue.folder(root, "");
    for (unsigned i = 3; i < count; ++i) {
        const std::string name = fmt::format("{}.pgm", i);
        ingest.add({.row = {.folder = below, .name = name}, .path = images / name});
    }
    CHECK_THROWS_WITH(ingest.finish(), "interrupted");
    ingest.rescue();
    REQUIRE(moment.stopped);
    CHECK(damages_of(*database, silent).empty());
    // what was written is what an undisturbed run writes
    Describer again(models, request.describe, silent);
    Statement codes(*database, "SELECT files.name, codes.code FROM files JOIN codes USING(content) "
                               "WHERE files.folder = ?1");
    codes.with(below);
    std::size_t described = 0;
    for (; codes.step(); ++described) {
        const auto path = images / std::string(codes.bytes(0));
        ImageBytes bytes(path, {});
        ImageFile file = bytes.take({});
        const std::vector<ExtractedImage> image{again.extract(file, path)};
        REQUIRE(*again.describe(image).front().code == codes.bytes(1));
    }
    CHECK(described > 0);
    CHECK(described < count - 3);
}
