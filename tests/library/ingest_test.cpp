#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/index/ingest.hpp>
#include <bowhist/index/learning.hpp>
#include <bowhist/index/update.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/describer.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/integrity.hpp>

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

/// A folder of images, and a library that learned its models from the first of them.
struct Fixture {
    Fixture() {
        std::filesystem::create_directory(images);
        for (unsigned i = 0; i < count; ++i) write_image(path(i), i);
        request.words_k = 16;
        request.code_k = 4;
        request.describe.level.level = "simd";
    }

    void learn() {
        request.inputs.arguments = {path(0), path(1), path(2)};
        index_library(request, silent);
    }

    static std::string name(unsigned i) { return fmt::format("{}.pgm", i); }
    std::string path(unsigned i) const { return images / name(i); }

    static constexpr unsigned count = 40;
    TemporaryFolder folder;
    std::filesystem::path images = folder.path() / "images";
    IndexRequest request{.library = folder.path() / "p.bow"};
    Observer silent;
};

/// The library of a fixture, opened to take in its other images.
struct Opened {
    explicit Opened(Fixture &of) : fixture(of) {}

    void add_all(Ingest &ingest) {
        for (unsigned i = 3; i < Fixture::count; ++i)
            ingest.add({.row = {.folder = below, .name = Fixture::name(i)},
                        .path = fixture.path(i),
                        .opened = fixture.path(i)});
    }

    static IngestOptions options() {
        IngestOptions all;
        all.stream.threads = 2;
        return all;
    }

    Fixture &fixture;
    WriterLock lock{fixture.request.library, 0};
    std::unique_ptr<Database> database = open_to_write(fixture.request.library);
    Catalogue catalogue{*database};
    LibraryModels models = read_models(catalogue.models(), catalogue.database().path());
    RowId below = catalogue.folder(catalogue.put_root({.path = fixture.images.native()}).id, "");
};

/// Interrupts at the n-th time when another image is done, whatever is done with it.
class Interrupting : public Observer {
  public:
    explicit Interrupting(int images) : left_(images) {}
    void progress(std::string_view stage, std::size_t, std::size_t) override {
        if (stage == "pictures") --left_;
    }
    bool interrupted() const override { return left_ <= 0; }
    int left() const { return left_; }

  private:
    std::atomic<int> left_;
};

} // namespace

TEST_CASE("ingest: A run that is interrupted while a batch is described commits whole rows") {
    Fixture fixture;
    fixture.learn();
    Opened library(fixture);
    DescribeOptions describe = fixture.request.describe;
    describe.level.level = "serial"; // which finds the words of a batch together
    Moment moment;
    Moment::OfImages of_images(moment);
    Moment::OfDescriptions of_descriptions(moment);
    Describer describer(library.models, describe, of_descriptions);
    moment.describes = false; // making it asked, too
    Ingest ingest(library.catalogue, &describer, Opened::options(), of_images);
    library.add_all(ingest);
    CHECK_THROWS_WITH(ingest.finish(), "interrupted");
    ingest.rescue();
    REQUIRE(moment.stopped);
    CHECK(damages_of(*library.database, fixture.silent).empty());
    // what was written is what an undisturbed run writes
    Describer again(library.models, describe, fixture.silent);
    Statement codes(*library.database, "SELECT files.name, codes.code FROM files JOIN codes "
                                       "USING(content) WHERE files.folder = ?1");
    codes.with(library.below);
    unsigned described = 0;
    for (; codes.step(); ++described) {
        const auto path = fixture.images / std::string(codes.bytes(0));
        ImageBytes bytes(path, {});
        ImageFile file = bytes.take({});
        const std::vector<ExtractedImage> image{again.extract(file, path)};
        REQUIRE(*again.describe(image).front().code == codes.bytes(1));
    }
    CHECK(described > 0);
    CHECK(described < Fixture::count - 3);
}

TEST_CASE("ingest: An error in the midst of a content's rows commits none of them") {
    Fixture fixture;
    fixture.learn();
    Opened library(fixture);
    library.database->run("CREATE TEMP TRIGGER no_room BEFORE INSERT ON codes WHEN NEW.content = 9 "
                          "BEGIN SELECT RAISE(FAIL, 'no room'); END");
    Describer describer(library.models, fixture.request.describe, fixture.silent);
    Ingest ingest(library.catalogue, &describer, Opened::options(), fixture.silent);
    library.add_all(ingest);
    CHECK_THROWS_WITH(ingest.finish(), Catch::Contains("no room"));
    ingest.rescue();
    CHECK(damages_of(*library.database, fixture.silent).empty());
}

TEST_CASE("ingest: Models are in the file before the first description") {
    Fixture fixture;
    for (unsigned i = 0; i < 10; ++i) fixture.request.inputs.arguments.push_back(fixture.path(i));
    fixture.request.describe.level.level = "serial"; // several batches
    constexpr int plenty = 1 << 20;
    Interrupting counting(plenty);
    index_library(fixture.request, counting);
    std::filesystem::remove(fixture.request.library);
    Interrupting observer(plenty - counting.left() - 2); // of the last ten, which are described
    CHECK_THROWS_WITH(index_library(fixture.request, observer), Catch::Contains("interrupted"));
    const auto database = open_to_read(fixture.request.library);
    CHECK(database->number("SELECT count(*) FROM contents") > 0);
    CHECK(database->number("SELECT count(*) FROM models") == 2);
}

TEST_CASE("describer: An image alone gets the row that it gets among others") {
    Fixture fixture;
    fixture.learn();
    const auto database = open_to_read(fixture.request.library);
    Catalogue catalogue(*database);
    const LibraryModels models = read_models(catalogue.models(), catalogue.database().path());
    DescribeOptions options = fixture.request.describe;
    options.mirrored = true;
    Describer describer(models, options, fixture.silent);
    REQUIRE(describer.describes_alone());
    std::vector<ExtractedImage> images;
    for (unsigned i = 0; i < 4; ++i) {
        ImageBytes bytes(fixture.path(i), {});
        ImageFile file = bytes.take({});
        images.push_back(describer.extract(file, fixture.path(i)));
    }
    const std::vector<ContentRow> rows = describer.describe(images);
    for (std::size_t i = 0; i < images.size(); ++i) {
        const ContentRow row = describer.describe_alone(images[i]);
        CHECK(row.words == rows[i].words);
        CHECK(row.places == rows[i].places);
        CHECK(row.mirrored == rows[i].mirrored);
        REQUIRE(row.mirrored);
        CHECK(row.code == rows[i].code);
        CHECK(row.descriptors == rows[i].descriptors);
        CHECK(row.thumbnail == rows[i].thumbnail);
        CHECK(row.width == 400);
    }
}
