// Prepared rows counted where their images are decoded, or in batches on a device.
#include "tests/support/descriptors.hpp"
#include "tests/support/extraction.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/device/kernel_source.hpp>
#include <bowhist/encode/device/device_preparation.hpp>
#include <bowhist/encode/mirrored.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>
#include <bowhist/pipeline/histogram_stream.hpp>

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t words = 20;
constexpr const char *steps = "root,whiten:24,position,scale,contrast,mirror";

/// Files of a folder, some with few descriptors or none.
std::vector<Input> written(const TemporaryFolder &folder) {
    std::vector<Input> inputs;
    for (int i = 0; i < 6; ++i) {
        const Image image = i == 4 ? Image{30, 40, std::vector<std::uint8_t>(30 * 40, 9)}
                                   : waves(24 + 40 * i, 80, static_cast<unsigned>(i), 10);
        const auto path = folder / fmt::format("{}.jpg", i);
        std::ofstream(path, std::ios::binary)
            << encode_jpeg({image.width, image.height, Color::grey, image.pixels});
        inputs.push_back({path, path.filename()});
    }
    return inputs;
}

Preparation learned(const Extractor &extractor, const Recipe &recipe) {
    const PreparationSteps parsed = parse_preparation(steps);
    const Descriptors found = extractor.extract(waves(200, 150, 7));
    return learn_preparation(parsed, with_places(parsed, found, 200, 150), mirroring_of(recipe));
}

/// A recipe, what it prepares, and the level that counts.
struct Counting {
    Counting(const char *name, const std::string &level, const std::shared_ptr<Device> &device)
        : recipe(completed({.extractor = name, .threshold = 0.01})),
          extractor(make_extractor(recipe)), preparation(learned(*extractor, recipe)),
          assigner(find_level(level).prepare(
              device, random_vocabulary(words, preparation.prepared_dimensions(), 1), {})),
          counter(make_image_counter(recipe, *extractor, *assigner, printed, true, &preparation)) {}

    StreamCounts count(const std::vector<Input> &inputs, ImageCounter *by, KeepRows &writer) {
        HistogramOptions options{.stream = {}, .words = words, .rows_each = 2};
        options.stream.counter = by;
        options.stream.dimensions = preparation.prepared_dimensions();
        options.stream.prepare = [&](Described &described) {
            described.descriptors =
                prepare(preparation, described.descriptors, described.width, described.height);
        };
        return stream_histograms(inputs, *extractor, *assigner, writer, options, printed);
    }

    Listener printed;
    Recipe recipe;
    std::unique_ptr<Extractor> extractor;
    Preparation preparation;
    std::unique_ptr<Assigner> assigner;
    std::unique_ptr<ImageCounter> counter;
};

/// Takes every image, and has no memory to count it.
class FullCounter : public ImageCounter {
  public:
    bool takes(const Image & /*image*/) const override { return true; }
    PendingCounts add(Image image) override {
        std::promise<std::vector<std::uint32_t>> none;
        none.set_exception(std::make_exception_ptr(OutOfMemory("full")));
        return {none.get_future().share(), 0, std::move(image)};
    }
};

void check_same(const KeepRows &found, const KeepRows &expected) {
    REQUIRE(found.rows.size() == expected.rows.size());
    for (std::size_t i = 0; i < expected.rows.size(); ++i) {
        INFO("picture " << i);
        CHECK(found.rows[i].image == expected.rows[i].image);
        CHECK(found.rows[i].counts == expected.rows[i].counts);
        CHECK(found.rows[i].descriptors == expected.rows[i].descriptors);
    }
}

} // namespace

TEST_CASE("prepared counter: pictures counted where they are decoded have the same histograms") {
    const TemporaryFolder folder;
    const std::vector<Input> inputs = written(folder);
    for (const auto &[name, level] : {std::pair{"dense", "simd"},
                                      {"dense", "gpu1"},
                                      {"dense", "gpu6"},
                                      {"surf", "simd"},
                                      {"surf", "gpu5"}}) {
        INFO(name << " " << level);
        Counting way(name, level, shared_device());
        if (find_level(level).on_device &&
            skips(!can_prepare(*shared_device()), "does not prepare rows"))
            continue;
        REQUIRE(way.counter);
        KeepRows gathered;
        KeepRows counted;
        const StreamCounts expected = way.count(inputs, nullptr, gathered);
        const StreamCounts found = way.count(inputs, way.counter.get(), counted);
        check_same(counted, gathered);
        CHECK(counted.rows.back().descriptors > 100);
        CHECK(found.read == expected.read);
        CHECK(found.few == expected.few); // of descriptors, without mirrored ones
        CHECK(found.none == expected.none);
    }
}

TEST_CASE("prepared counter: where the device has no memory left, the host prepares rows, too") {
    const TemporaryFolder folder;
    const std::vector<Input> inputs = written(folder);
    Counting way("dense", "simd", shared_device());
    FullCounter full;
    KeepRows expected;
    KeepRows found;
    way.count(inputs, nullptr, expected);
    way.count(inputs, &full, found);
    check_same(found, expected);
    CHECK(way.printed.warnings.size() == 1);
}

TEST_CASE("prepared counter: a device whose rows differ is not taken, and a warning says so") {
    if (skips(!can_prepare(*shared_device()), "does not prepare rows")) return;
    for (const auto &[file, right, wrong] :
         {std::tuple{"prepare_project.cl", "(row[r][i] - middle)", "(row[r][i] - 2 * middle)"},
          {"logarithm.cl", "i < 8", "i < 7"}}) {
        INFO(file);
        const TemporaryFolder folder;
        std::string source = kernel_source(file);
        const std::size_t at = source.find(right);
        REQUIRE(at != std::string::npos);
        std::ofstream(folder / file) << source.replace(at, std::string(right).size(), wrong);
        Counting way("dense", "gpu1",
                     std::make_shared<Device>(DeviceOptions{.kernel_dir = folder.path()}));
        CHECK(way.counter == nullptr);
        CHECK_THAT(way.printed.warnings.at(0), Catch::Contains("makes other prepared dense"));
    }
}
