// What a device adds up of rows: the host's whole numbers.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/encode/device/device_tally.hpp>
#include <bowhist/encode/vlad.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

using Limits = std::numeric_limits<float>;

constexpr std::size_t k = 5;
const std::vector<LaunchImage> two_images = {{0, 200, 100}, {20000, 37, 1030}};

/// Rows of two images; their mirrored rows, if any, behind all.
struct Scene {
    Descriptors rows = {};
    std::vector<cl_int> words = {};
    std::vector<Keypoint> keypoints = {}; ///< of the first half where rows are mirrored
    std::size_t rows_each = 1;

    std::size_t found() const { return rows.size() / rows_each; }
    std::size_t image_of(std::size_t row) const { return row % found() < found() / 2 ? 0 : 1; }
};

Scene scene_of(Descriptors rows, std::size_t rows_each) {
    Scene scene{.rows = std::move(rows), .rows_each = rows_each};
    std::mt19937 random(3);
    const auto share = [&] { return static_cast<float>(random() >> 8) / 0x1p24F; };
    for (std::size_t i = 0; i < scene.rows.size(); ++i)
        scene.words.push_back(static_cast<cl_int>(random() % (k - 1))); // the last has none
    for (std::size_t i = 0; i < scene.found(); ++i) {
        const LaunchImage &image = two_images.at(scene.image_of(i));
        Keypoint one{static_cast<float>(image.width) * share(),
                     static_cast<float>(image.height) * share()};
        if (i % 5 == 1) one.x = std::round(one.x) - 0.5F; // the border of a pixel, maybe of a cell
        if (i % 7 == 2) one.y = static_cast<float>(image.height) / 3 - 0.5F;
        if (i % 17 == 3) one = {-3, 5000};
        scene.keypoints.push_back(one);
    }
    return scene;
}

/// Numbers of every exponent, and those that are hard to round.
Descriptors hard_rows(std::size_t dimensions) {
    std::mt19937 random(5);
    std::vector<float> values = {0.0F,
                                 -0.0F,
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN(),
                                 -Limits::quiet_NaN(),
                                 Limits::max(),
                                 -Limits::max(),
                                 Limits::denorm_min(),
                                 -Limits::min()};
    for (int exponent = -60; exponent < 60; ++exponent)
        for (const float part : {0.5F, 1.0F, 1.5F, 2.5F, 3.5F, 0x1.000002p0F, 0x1.FFFFFEp0F})
            values.push_back(std::ldexp(exponent % 2 == 0 ? part : -part, exponent));
    while (values.size() % (4 * dimensions) != 0 || values.size() < 3000)
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    return {dimensions, values};
}

/// By the definition: the nearest whole number, halves to even, of at most 2^26; NaN is 2^26.
std::int64_t whole(float value, int exponent) {
    const double scaled = std::ldexp(double{value}, exponent);
    if (std::isnan(scaled)) return 1 << 26;
    return std::lrint(std::clamp(scaled, -0x1p26, 0x1p26));
}

std::size_t cell_of(const Scene &scene, const CellGrid &grid, std::size_t row) {
    if (grid.size() == 1) return 0;
    const LaunchImage &image = two_images.at(scene.image_of(row));
    Keypoint keypoint = scene.keypoints[row % scene.found()];
    if (row >= scene.found()) keypoint.x = static_cast<float>(image.width - 1) - keypoint.x;
    return grid.cell_of(keypoint, image.width, image.height);
}

/// What the shape says, one number after another.
std::vector<std::uint32_t> by_definition(const Scene &scene, const TallyShape &shape) {
    std::vector<std::uint32_t> tallies(two_images.size() * shape.size());
    for (std::size_t row = 0; row < scene.rows.size(); ++row) {
        const auto word = static_cast<std::size_t>(scene.words[row]);
        std::uint32_t *cells = tallies.data() + scene.image_of(row) * shape.size();
        for (const CellGrid &grid : shape.grids) {
            std::uint32_t *const cell = cells + cell_of(scene, grid, row) * shape.cell_size();
            ++cell[word];
            for (std::size_t i = 0; shape.exponent && i < shape.dimensions; ++i) {
                std::uint32_t *const halves = cell + k + 2 * (word * shape.dimensions + i);
                const std::uint64_t sum =
                    (std::uint64_t{halves[1]} << 32 | halves[0]) +
                    static_cast<std::uint64_t>(whole(scene.rows.row(row)[i], *shape.exponent) +
                                               tally_bias);
                halves[0] = static_cast<std::uint32_t>(sum);
                halves[1] = static_cast<std::uint32_t>(sum >> 32);
            }
            cells += grid.size() * shape.cell_size();
        }
    }
    return tallies;
}

/// @param unused  room behind the rows
std::vector<std::uint32_t> on_device(const Scene &scene, const TallyShape &shape,
                                     std::size_t unused) {
    const auto device = shared_device();
    const auto longer = [&](auto values, std::size_t each = 1) {
        values.resize(values.size() + unused * each);
        return values;
    };
    std::vector<cl_uint> bag;
    for (std::size_t row = 0; row < scene.rows.size(); ++row)
        bag.push_back(static_cast<cl_uint>(scene.image_of(row)));
    const DeviceDescriptors rows{
        .values = uploaded<float>(*device, longer(scene.rows.values, shape.dimensions)),
        .bag = uploaded<cl_uint>(*device, longer(bag)),
        .count = uploaded<cl_uint>(*device, {static_cast<cl_uint>(scene.rows.size()), 0}),
        .capacity = scene.rows.size() + unused,
        .dimensions = shape.dimensions};
    DeviceDescriptors found = rows;
    found.count = uploaded<cl_uint>(*device, {static_cast<cl_uint>(scene.found()), 0});
    found.capacity = scene.found() + unused;
    found.keypoints = uploaded<Keypoint>(*device, longer(scene.keypoints));
    DeviceTally tally(device, shape);
    Buffer<cl_uint> tallies;
    tally.clear(tallies, two_images.size());
    tally.add(found, rows, uploaded<cl_int>(*device, longer(scene.words)), two_images, tallies);
    return downloaded(*device, tallies);
}

TallyShape shape_of(const Scene &scene, CellGrids grids, std::optional<int> exponent) {
    return {std::move(grids), k, scene.rows.dimensions, exponent, scene.rows_each};
}

void check(const Scene &scene, const TallyShape &shape, std::size_t unused) {
    INFO("cells " << as_text(shape.grids) << ", exponent " << shape.exponent.value_or(-999));
    CHECK(on_device(scene, shape, unused) == by_definition(scene, shape));
}

} // namespace

TEST_CASE("device tally: sums of all numbers, by every exponent, are the host's") {
    const Scene scene = scene_of(hard_rows(6), 1);
    for (const int exponent : {-108, -20, 0, 3, 4, 17, 20, 27, 60, 168})
        check(scene, shape_of(scene, whole_image, exponent), 19);
    check(scene, shape_of(scene, whole_image, {}), 19);
}

TEST_CASE("device tally: each row counts in its cell, mirrored ones in theirs") {
    for (const std::size_t rows_each : {1, 2}) {
        const Scene scene = scene_of(random_descriptors(400, 9, 1), rows_each);
        for (const char *cells : {"2x2", "1x1,3x2,1x5,64x1", "7x31,1x1"}) {
            check(scene, shape_of(scene, parse_cells(cells), 18), 7);
            check(scene, shape_of(scene, parse_cells(cells), {}), 0);
        }
    }
}

TEST_CASE("device tally: VLAD rows of tallies are those of the rows") {
    const Scene scene = scene_of(random_descriptors(300, 10, 2), 1);
    const Vocabulary words = random_vocabulary(k, 10, 4);
    const VladEncoder encoder(words, vlad_exponent(4));
    const TallyShape shape = shape_of(scene, whole_image, vlad_exponent(4));
    const std::vector<std::uint32_t> tallies = on_device(scene, shape, 0);
    for (std::size_t image = 0; image < two_images.size(); ++image) {
        const std::size_t first = image * scene.found() / 2;
        CHECK(
            encoder.encode(std::span(tallies).subspan(image * shape.size(), shape.size())) ==
            encoder.encode(std::span(scene.rows.values).subspan(first * 10, scene.found() / 2 * 10),
                           std::span(scene.words).subspan(first, scene.found() / 2)));
    }
}

TEST_CASE("device tally: more rows of a word than a number of 32 bits holds") {
    Scene scene = scene_of({2, std::vector<float>(2 * 300, Limits::max())}, 1);
    std::ranges::fill(scene.words, 1);
    check(scene, shape_of(scene, whole_image, 20), 0);
}

TEST_CASE("device tally: a few rows", "[oclgrind][tally_rows.cl][cell_bags.cl]") {
    const Scene scene = scene_of(random_descriptors(14, 3, 1), 2);
    check(scene, shape_of(scene, whole_image, 20), 3);
    check(scene, shape_of(scene, parse_cells("1x1,2x3"), 20), 3);
    check(scene, shape_of(scene, parse_cells("2x3"), {}), 3);
}
