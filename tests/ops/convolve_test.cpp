#include "tests/support/levels.hpp"
#include "tests/support/padded_pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/convolve.hpp>
#include <bowhist/ops/convolve_intensity.hpp>
#include <bowhist/ops/convolve_separable.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

struct Size {
    std::size_t width;
    std::size_t height;
    std::size_t count;
};

/// The definition, in float64, and the sum of |weight × pixel| that errors are measured by.
struct Reference {
    std::vector<double> values;
    std::vector<double> magnitudes;
};

/// Told apart from the library's: walks to the place, step by step.
long place_of(long place, long size, Border border) {
    if (border == Border::zero) return place < 0 || place >= size ? -1 : place;
    if (border == Border::replicate) return std::min(std::max(place, 0L), size - 1);
    if (size == 1) return 0;
    const long period = 2 * (size - 1);
    const long phase = ((place % period) + period) % period;
    return phase < size ? phase : period - phase;
}

Reference reference(const std::vector<float> &pixels, const Size &size, const Filter &filter,
                    Border border) {
    Reference result;
    const auto width = static_cast<long>(size.width), height = static_cast<long>(size.height);
    const auto filter_width = static_cast<long>(filter.width);
    const auto filter_height = static_cast<long>(filter.height);
    for (long picture = 0; picture < static_cast<long>(size.count); ++picture)
        for (long y = 0; y < height; ++y)
            for (long x = 0; x < width; ++x) {
                double value = 0, magnitude = 0;
                for (long j = 0; j < filter_height; ++j)
                    for (long i = 0; i < filter_width; ++i) {
                        const long column = place_of(x + i - filter_width / 2, width, border);
                        const long row = place_of(y + j - filter_height / 2, height, border);
                        if (column < 0 || row < 0) continue;
                        const double term =
                            static_cast<double>(
                                filter.weights[static_cast<std::size_t>(j * filter_width + i)]) *
                            pixels[static_cast<std::size_t>((picture * height + row) * width +
                                                            column)];
                        value += term;
                        magnitude += std::abs(term);
                    }
                result.values.push_back(value);
                result.magnitudes.push_back(magnitude);
            }
    return result;
}

void require_close(const std::vector<float> &found, const Reference &expected) {
    REQUIRE(found.size() == expected.values.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double error = std::abs(found[i] - expected.values[i]);
        if (!(error <= 1e-5 * expected.magnitudes[i])) ++wrong; // NaN is wrong, too
    }
    REQUIRE(wrong == 0);
}

/// Neither symmetric nor separable: a flip, a transposition or a wrong row would show.
Filter random_filter(std::size_t width, std::size_t height, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    Filter filter{width, height, std::vector<float>(width * height)};
    for (float &weight : filter.weights) weight = normal(engine);
    return filter;
}

SeparableFilter random_factors(std::size_t width, std::size_t height, unsigned seed) {
    return {random_filter(width, 1, seed).weights, random_filter(1, height, seed + 1).weights};
}

const std::vector<Border> borders = {Border::zero, Border::replicate, Border::reflect};

/// Around a group's, a strip's and a vector's sizes; smaller than a radius; many in a launch.
const std::vector<Size> sizes = {{1, 1, 1},   {1, 40, 2},  {40, 1, 2},    {2, 3, 3},
                                 {15, 16, 1}, {16, 17, 2}, {17, 15, 1},   {31, 33, 1},
                                 {64, 65, 2}, {67, 63, 1}, {300, 140, 1}, {5, 300, 1}};

template <typename Convolve>
void check(const Size &size, const Filter &filter, Border border, std::size_t padding,
           Convolve convolve_into) {
    Device &device = *shared_device();
    INFO(size.count << " of " << size.width << "×" << size.height << ", filter " << filter.width
                    << "×" << filter.height << ", border " << static_cast<int>(border)
                    << ", padding " << padding);
    const auto pixels = random_brightness(size.width, size.height, size.count, 1);
    const auto in = upload_padded(device, pixels, size.width, size.height, size.count, padding);
    const auto out = allocate_images<float>(device, size.width, size.height, size.count,
                                            size.width + 2 * padding);
    convolve_into(device, in, out);
    require_close(download_pixels(device, out), reference(pixels, size, filter, border));
}

void check_method(ConvolveMethod method, const Size &size, const Filter &filter, Border border,
                  std::size_t padding, const ConvolveOptions &given = {}) {
    INFO(name_of(method));
    ConvolveOptions options = given;
    options.method = method;
    options.border = border;
    check(size, filter, border, padding, [&](Device &device, const auto &in, const auto &out) {
        convolve(device, in, out, filter, options);
    });
}

} // namespace

TEST_CASE("convolve: every method is the definition, at every size and border", "[convolve]") {
    for (const ConvolveMethod method : convolve_methods()) {
        const bool apart = method == ConvolveMethod::separable;
        for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{3, 3}, {5, 9}}) {
            const Filter filter =
                apart ? product(random_factors(width, height, 3)) : random_filter(width, height, 3);
            for (const Border border : borders)
                for (const Size &size : sizes) check_method(method, size, filter, border, 3);
        }
    }
}

TEST_CASE("convolve: every radius, square and oblong", "[convolve]") {
    const Size size{83, 70, 1};
    for (const ConvolveMethod method : convolve_methods())
        for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{1, 1},
                                            {1, 3},
                                            {3, 1},
                                            {7, 7},
                                            {15, 15},
                                            {15, 1},
                                            {1, 31},
                                            {31, 5},
                                            {31, 31}}) {
            const Filter filter = method == ConvolveMethod::separable
                                      ? product(random_factors(width, height, 5))
                                      : random_filter(width, height, 5);
            if (!obstacle(method, *shared_device(), filter))
                check_method(method, size, filter, Border::reflect, 0);
        }
}

TEST_CASE("convolve: the shapes for GPUs are right, too", "[convolve]") {
    const Filter filter = product(random_factors(7, 9, 7));
    for (const std::size_t lanes : {2, 4})
        for (const bool ahead : {false, true})
            for (const std::size_t padding : {0, 1, 4})
                for (const Size &size : {Size{1, 1, 2}, Size{64, 20, 2}, Size{131, 77, 1}}) {
                    const Border border = borders[(lanes + padding + (ahead ? 1 : 0)) % 3];
                    ConvolveOptions options;
                    options.shape = SlidingShape{lanes, 5, {32, 4}, false, ahead};
                    for (const auto method : {ConvolveMethod::sliding, ConvolveMethod::separable})
                        check_method(method, size, filter, border, padding, options);
                }
}

TEST_CASE("convolve: separable through local memory is right at any size", "[convolve]") {
    for (const auto &[width, height] : {std::pair<std::size_t, std::size_t>{7, 9}, {1, 1}, {31, 3}})
        for (const Border border : borders)
            for (const Size &size : sizes) {
                ConvolveOptions options;
                options.tile = SeparableTile{.columns = 32, .strip = 24, .step = 5};
                check_method(ConvolveMethod::separable, size,
                             product(random_factors(width, height, 8)), border, size.width % 3,
                             options);
            }
}

TEST_CASE("convolve: tiled_output makes any number of pixels a work-item", "[convolve]") {
    for (const std::size_t outputs : {1, 2, 8}) {
        ConvolveOptions options;
        options.outputs = outputs;
        check_method(ConvolveMethod::tiled_output, {70, 67, 2}, random_filter(5, 3, 9),
                     Border::replicate, 1, options);
    }
}

TEST_CASE("convolve: rows and columns, each alone and one after the other", "[convolve]") {
    for (const std::size_t length : {1, 3, 15, 31})
        for (const Border border : borders)
            for (const Size &size : sizes) {
                const auto weights = random_filter(length, 1, 11).weights;
                check(size, {length, 1, weights}, border, 3,
                      [&](Device &device, const auto &in, const auto &out) {
                          convolve_rows(device, in, out, weights, border);
                      });
                check(size, {1, length, weights}, border, 3,
                      [&](Device &device, const auto &in, const auto &out) {
                          convolve_columns(device, in, out, weights, border);
                      });
            }
}

TEST_CASE("convolve: nothing becomes nothing", "[convolve]") {
    Device &device = *shared_device();
    device.take_launches(); // of other tests
    for (const Size &size : {Size{0, 5, 1}, Size{5, 0, 1}, Size{5, 5, 0}}) {
        const auto in = allocate_images<float>(device, size.width, size.height, size.count);
        for (const ConvolveMethod method : convolve_methods())
            convolve(device, in, in, {1, 1, {1}}, {.method = method});
        convolve_rows(device, in, in, std::vector<float>{1});
        convolve_columns(device, in, in, std::vector<float>{1});
    }
    CHECK(device.take_launches().kernels.count("convolve") == 0);
}

TEST_CASE("convolve: what cannot be done is said", "[convolve]") {
    Device &device = *shared_device();
    const auto in = allocate_images<float>(device, 8, 8);
    const auto out = allocate_images<float>(device, 8, 8);
    const auto refused = [&](const Filter &filter, ConvolveMethod method, const char *word) {
        CHECK_THROWS_WITH(convolve(device, in, out, filter, {.method = method}),
                          Catch::Contains(word));
    };
    const Filter wide = random_filter(17, 17, 1);
    refused(wide, ConvolveMethod::tiled_input, "tiled_output");
    refused(wide, ConvolveMethod::separable, "take sliding");
    refused({2, 3, {1, 1, 1, 1, 1, 1}}, ConvolveMethod::automatic, "2x3");
    refused({33, 1, std::vector<float>(33)}, ConvolveMethod::automatic, "1 to 31");
    refused({0, 0, {}}, ConvolveMethod::automatic, "0x0");
    refused({3, 3, {1}}, ConvolveMethod::automatic, "give 9");
    refused({1, 1, {std::nanf("")}}, ConvolveMethod::automatic, "not finite");
    CHECK_THROWS_WITH(convolve(device, in, allocate_images<float>(device, 8, 9), {1, 1, {1}}),
                      Catch::Contains("8x9"));
}

TEST_CASE("convolve: groups of 256 work-items are enough", "[convolve]") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 256; });
    const Filter filter = random_filter(5, 5, 13);
    const auto pixels = random_brightness(50, 40, 1, 2);
    const auto in = upload_padded(*device, pixels, 50, 40, 1);
    const auto out = allocate_images<float>(*device, 50, 40);
    const Reference expected = reference(pixels, {50, 40, 1}, filter, Border::reflect);
    for (const ConvolveMethod method : convolve_methods())
        if (!obstacle(method, *device, filter)) {
            convolve(*device, in, out, filter, {.method = method});
            require_close(download_pixels(*device, out), expected);
        }
}

TEST_CASE("convolve: a small picture, every kernel",
          "[oclgrind][convolve_basic.cl][convolve_constant.cl][convolve_tiled_input.cl]"
          "[convolve_tiled_output.cl][convolve_cached.cl][convolve_sliding.cl]"
          "[convolve_separable.cl][convolve_separable_tiled.cl][convolve_rows.cl]"
          "[convolve_columns.cl]") {
    const Size size{19, 35, 2};
    const SeparableFilter apart = random_factors(3, 5, 15);
    for (const Border border : {Border::zero, Border::reflect}) {
        for (const ConvolveMethod method : convolve_methods())
            check_method(method, size, product(apart), border, 1);
        ConvolveOptions options;
        options.shape = SlidingShape{4, 5, {8, 2}, false, true};
        for (const auto method : {ConvolveMethod::sliding, ConvolveMethod::separable})
            check_method(method, size, product(apart), border, 1, options);
        options = {};
        options.tile = SeparableTile{.columns = 8, .strip = 16, .step = 4};
        check_method(ConvolveMethod::separable, size, product(apart), border, 1, options);
        check(size, {3, 1, apart.across}, border, 1,
              [&](Device &device, const auto &in, const auto &out) {
                  convolve_rows(device, in, out, apart.across, border);
              });
        check(size, {1, 5, apart.down}, border, 1,
              [&](Device &device, const auto &in, const auto &out) {
                  convolve_columns(device, in, out, apart.down, border);
              });
    }
}

TEST_CASE("convolve: operations a byte are the textbook's", "[convolve]") {
    CHECK(tiled_operations_per_byte(32, 5, 5) == Approx(9.57).margin(0.005));
    CHECK(tiled_operations_per_byte(32, 9, 9) == Approx(22.78).margin(0.005));
    CHECK(tiled_operations_per_byte(8, 5, 5) == Approx(3.13).margin(0.005));
    CHECK(tiled_operations_per_byte(4, 5, 5) == 0);
    CHECK(most_operations_per_byte(5, 5) == 12.5);
    CHECK(most_operations_per_byte(9, 9) == 40.5);
    CHECK(untiled_operations_per_byte(true) == 0.25);
    CHECK(untiled_operations_per_byte(false) == 0.5);
}
