// Images counted where they are decoded, or in batches on a device.
#include "tests/support/descriptors.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>
#include <bowhist/pipeline/picture_counter.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// A JPEG, which every build reads, of `greys` greys at most; flat for 0.
void write_texture(const std::filesystem::path &path, int width, int height, int greys) {
    Raster image{width, height, Color::grey, {}};
    for (unsigned p = 0; p < static_cast<unsigned>(width * height); ++p)
        image.samples.push_back(
            static_cast<std::uint8_t>(greys == 0 ? 9 : p * p % static_cast<unsigned>(greys)));
    std::ofstream(path, std::ios::binary) << encode_jpeg(image);
}

/// What counts images into words, and a counter of it.
struct Counting {
    Counting(const Recipe &asked, const char *level, const std::shared_ptr<Device> &device,
             std::size_t words = 20)
        : recipe(completed(asked)), extractor(make_extractor(recipe)),
          assigner(find_level(level).prepare(device, random_vocabulary(words, 64, 1), {})),
          counter(make_image_counter(recipe, *extractor, *assigner, printed, true)) {}

    /// By the counter, or without one; of 20 words.
    StreamCounts count(const std::vector<Input> &inputs, bool by_counter, KeepRows &writer,
                       Observer &observer, const StreamOptions &stream = {}) const {
        HistogramOptions options{.stream = stream, .words = 20};
        options.stream.counter = by_counter ? counter.get() : nullptr;
        return stream_histograms(inputs, *extractor, *assigner, writer, options, observer);
    }

    Recipe recipe;
    Listener printed; ///< when the counter was made
    std::unique_ptr<Extractor> extractor;
    std::unique_ptr<Assigner> assigner;
    std::unique_ptr<ImageCounter> counter;
};

/// With room for an image or two.
std::shared_ptr<Device> small_device() {
    return limited_device([](DeviceLimits &limits) { limits.allocation_bytes = 2 << 20; });
}

} // namespace

TEST_CASE("counter: pictures counted where they are decoded have the same histograms, in order") {
    const TemporaryFolder folder;
    std::vector<Input> inputs;
    for (int i = 0; i < 7; ++i) {
        const int width = 40 + 50 * (i % 4);
        const auto path = folder / fmt::format("{}.jpg", i);
        write_texture(path, width, 60, i == 3 ? 0 : 251 / (i + 1));
        inputs.push_back({path, path.filename()});
        if (i != 4) continue;
        const auto file = folder / "d.npy"; // descriptors among images
        write_descriptors(file, random_descriptors(9, 64, 3));
        inputs.push_back({file, "d.npy"});
    }
    struct Way {
        const char *extractor;
        const char *level;
        std::size_t most;
        bool small = false; ///< two images are a batch, and the widest are too large for it
    };
    for (const auto &[name, level, most, small] : {Way{"dense", "simd", 0},
                                                   {"dense", "openmp", 12},
                                                   {"surf", "serial", 0},
                                                   {"dense", "gpu1", 0},
                                                   {"dense", "gpu5", 0, true},
                                                   {"dense", "gpu6", 12},
                                                   {"surf", "gpu5", 0},
                                                   {"surf", "gpu5", 6}}) {
        INFO(name << " " << level << ", " << most << " at most");
        const auto device = small ? small_device() : shared_device();
        const Counting way({.extractor = name, .threshold = 0.01, .max_descriptors = most}, level,
                           device);
        const bool pays = !find_level(level).on_device || device->info().kind == DeviceKind::gpu;
        Listener silent;
        CHECK((make_image_counter(way.recipe, *way.extractor, *way.assigner, silent) != nullptr) ==
              pays);
        REQUIRE(way.counter);
        std::vector<std::vector<Histogram>> rows;
        std::vector<StreamCounts> counts;
        for (const bool by_counter : {false, true}) {
            KeepRows writer;
            counts.push_back(way.count(inputs, by_counter, writer, silent));
            rows.push_back(writer.rows);
        }
        REQUIRE(rows[1].size() == inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            CHECK(rows[1][i].image == rows[0][i].image);
            CHECK(rows[1][i].counts == rows[0][i].counts);
            CHECK(rows[1][i].descriptors == rows[0][i].descriptors);
        }
        CHECK(rows[1][2].descriptors > 5);
        CHECK(counts[1].read == counts[0].read);
        CHECK(counts[1].few == counts[0].few);
        CHECK(counts[1].none == counts[0].none);
        CHECK(counts[1].none > 0);
    }
}

TEST_CASE("counter: a batch that is not full is counted while the device has nothing else to do") {
    const Counting way({.extractor = "dense"}, "gpu5", small_device());
    REQUIRE(way.counter);
    const Image image{90, 60, std::vector<std::uint8_t>(5400)};
    const PendingCounts sent[] = {way.counter->add(image), way.counter->add(image)};
    for (const PendingCounts &one : sent) // the second was most likely added while one was counted
        CHECK(one.counts.wait_for(std::chrono::minutes(5)) == std::future_status::ready);
}

TEST_CASE("counter: pictures with more keypoints than there was room for are counted again") {
    const TemporaryFolder folder;
    Raster dots{300, 200, Color::grey, {}};
    for (int y = 0; y < dots.height; ++y)
        for (int x = 0; x < dots.width; ++x)
            dots.samples.push_back(x % 10 < 4 && y % 10 < 4 ? 250 : 20);
    std::ofstream(folder / "dots.jpg", std::ios::binary) << encode_jpeg(dots);
    write_texture(folder / "texture.jpg", 300, 200, 251);
    std::vector<Input> inputs;
    for (const char *name : {"texture.jpg", "dots.jpg", "dots.jpg", "texture.jpg", "dots.jpg"})
        inputs.push_back({folder / name, name});
    // A batch has room for one image, and the device for far fewer keypoints.
    const Counting way({.extractor = "surf", .threshold = 0.01}, "gpu5", small_device());
    REQUIRE(way.counter);
    REQUIRE(way.counter->takes({300, 200, std::vector<std::uint8_t>(60'000)}));
    std::vector<std::vector<Histogram>> rows;
    Listener observer;
    for (const bool by_counter : {false, true}) {
        KeepRows writer;
        way.count(inputs, by_counter, writer, observer);
        rows.push_back(writer.rows);
    }
    CHECK(way.printed.warnings.empty());
    CHECK(observer.warnings.empty());
    REQUIRE(rows[1].size() == inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) CHECK(rows[1][i].counts == rows[0][i].counts);
    CHECK(rows[1][1].descriptors > 1006); // than there was room for
}

TEST_CASE("counter: pictures that a device has no room for are extracted on the host") {
    const std::size_t megabytes = GENERATE(4, 33); // too few for pixels; for their descriptors
    const auto device =
        limited_device([&](DeviceLimits &limits) { limits.free_bytes = megabytes << 20; });
    const Counting way({.extractor = "dense"}, "gpu2", device);
    CHECK((way.counter == nullptr) == (megabytes == 4));
    CHECK(way.printed.warnings.size() == (megabytes == 4 ? 1 : 0));
    for (const auto &warning : way.printed.warnings)
        CHECK_THAT(warning, Catch::Contains("no room for"));
    if (!way.counter) return;
    const TemporaryFolder folder;
    write_texture(folder / "a.jpg", 2000, 2000, 251);
    StreamOptions one_thread;
    one_thread.threads = 1;
    one_thread.image.max_side = 0;
    std::vector<Histogram> rows;
    for (const bool by_counter : {false, true}) {
        KeepRows writer;
        Listener observer;
        const Input input{folder / "a.jpg", "a.jpg"};
        way.count({input, input}, by_counter, writer, observer, one_thread);
        REQUIRE(writer.rows.size() == 2);
        rows.insert(rows.end(), writer.rows.begin(), writer.rows.end());
        CHECK(observer.warnings.size() == (by_counter ? 1 : 0));
        for (const auto &warning : observer.warnings)
            CHECK_THAT(warning, Catch::Contains("no room for"));
    }
    for (const Histogram &row : rows) CHECK(row.counts == rows[0].counts);
    CHECK_FALSE(way.counter->takes({1, 1, {0}})); // it is not asked again
}

TEST_CASE("counter: a batch that fails while another is on the device leaves no image waiting") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 33U << 20; });
    const Counting way({.extractor = "dense"}, "gpu2", device);
    REQUIRE(way.counter);
    std::vector<PendingCounts> sent;
    for (const int side : {500, 500, 2000}) { // the last has too many patches for the device
        const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
        sent.push_back(way.counter->add({side, side, std::vector<std::uint8_t>(pixels)}));
        way.counter->flush();
    }
    for (const PendingCounts &one : sent)
        CHECK(one.counts.wait_for(std::chrono::minutes(5)) == std::future_status::ready);
    CHECK_THROWS_AS(sent.back().counts.get(), OutOfMemory);
    CHECK_FALSE(way.counter->takes({1, 1, {0}}));
}

TEST_CASE("counter: kernels of a batch that failed are in no report") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.free_bytes = 33U << 20; });
    const Counting way({.extractor = "dense"}, "gpu2", device, 60'000);
    REQUIRE(way.counter);
    PendingCounts last;
    for (int i = 0; i < 150; ++i) // whose histograms take 36 MB
        last = way.counter->add({40, 40, std::vector<std::uint8_t>(1600)});
    way.counter->flush();
    CHECK_THROWS_AS(last.counts.get(), OutOfMemory);
    CHECK(device->take_launches().kernels.empty());
}

TEST_CASE("counter: one that ends has counted what it was given") {
    Counting way({.extractor = "dense"}, "gpu5", shared_device());
    REQUIRE(way.counter);
    std::vector<PendingCounts> sent;
    for (int i = 0; i < 3; ++i) {
        sent.push_back(way.counter->add({300, 200, std::vector<std::uint8_t>(60'000)}));
        way.counter->flush();
    }
    way.counter.reset();
    for (const PendingCounts &one : sent) CHECK(one.counts.get() == std::vector<cl_uint>(20, 0));
}

TEST_CASE("counter: what ran out of memory on a device is warned of once") {
    struct Full : ImageCounter {
        bool takes(const Image & /*image*/) const override { return added < 2; }
        PendingCounts add(Image image) override {
            std::promise<std::vector<std::uint32_t>> counts;
            counts.set_exception(std::make_exception_ptr(OutOfMemory("full")));
            return {counts.get_future().share(), added++, std::move(image)};
        }
        std::atomic<std::size_t> added = 0;
    } full;
    const TemporaryFolder folder;
    std::vector<Input> inputs;
    for (const char *name : {"a.jpg", "b.jpg", "c.jpg"}) {
        write_texture(folder / name, 40, 60, 251);
        inputs.push_back({folder / name, name});
    }
    const Recipe recipe = completed({.extractor = "dense"});
    const auto assigner =
        choose_level({.level = "serial"}, 64, 20).prepare(random_vocabulary(20, 64, 1));
    KeepRows writer;
    Listener observer;
    HistogramOptions options;
    options.words = 20;
    options.stream.counter = &full;
    stream_histograms(inputs, *make_extractor(recipe), *assigner, writer, options, observer);
    CHECK(full.added >= 2);
    CHECK(observer.warnings.size() == 1);
    REQUIRE(writer.rows.size() == 3);
    for (const Histogram &row : writer.rows) CHECK(row.descriptors > 0);
}

TEST_CASE("counter: a device whose descriptors differ is not taken, and a warning says so") {
    const TemporaryFolder folder;
    std::string source = kernel_source("dense_describe.cl");
    const std::string right = "* factor;";
    REQUIRE(source.find(right) != std::string::npos);
    source.replace(source.find(right), right.size(), "* (factor * 1.0000002f);");
    std::ofstream(folder / "dense_describe.cl") << source;
    const LevelChoice level = choose_level({.level = "gpu1", .kernel_dir = folder.path()}, 64, 20);
    const auto assigner = level.prepare(random_vocabulary(20, 64, 1));
    Listener observer;
    const auto counter_for = [&](const char *name) {
        const Recipe recipe = completed({.extractor = name});
        return make_image_counter(recipe, *make_extractor(recipe), *assigner, observer, true);
    };
    CHECK(counter_for("dense") == nullptr);
    CHECK_THAT(observer.warnings.at(0), Catch::Contains("extracting on the host"));
    CHECK(counter_for("surf"));
}
