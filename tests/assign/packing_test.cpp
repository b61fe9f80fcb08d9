// Centroids that a device moved, packed there: the same bits as the host packs, and bounds that are
// none too small.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/core/round_up.hpp>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <bit>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// As move_words.cl leaves them.
DeviceCentroids moved(Device &device, const Vocabulary &vocabulary) {
    std::vector<double> squares;
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        squares.push_back(0);
        for (const float value : vocabulary.row(j)) squares.back() += double{value} * double{value};
    }
    const double longest = std::sqrt(*std::ranges::max_element(squares));
    auto norm = static_cast<float>(longest);
    if (double{norm} < longest) norm = std::nextafter(norm, INFINITY);
    std::vector<cl_uint> extent(EXTENT_SIZE, 0);
    extent[EXTENT_NORM] = std::bit_cast<cl_uint>(norm);
    return {uploaded(device, vocabulary.values), uploaded(device, squares),
            uploaded(device, extent)};
}

std::vector<Vocabulary> vocabularies(std::size_t dimensions) {
    std::vector<Vocabulary> all;
    for (const float size : {1e-42F, 1e-30F, 1.0F, 1e30F})
        all.push_back(random_vocabulary(67, dimensions, 1, size));
    for (const std::size_t k : {1, 31, 130}) all.push_back(random_vocabulary(k, dimensions, 2));
    all.push_back({dimensions, std::vector<float>(3 * dimensions)});
    return all;
}

/// None too small, and hardly larger.
void check_bound(float found, float expected) {
    CHECK(found >= expected * (1 - 1e-6F));
    CHECK(found <= expected * 1.002F); // a subnormal norm is a coarse one
}

void check_matrix(Device &device, const Vocabulary &vocabulary) {
    const MatrixCentroids expected(vocabulary);
    const auto fragments = device.allocate<cl_ushort>(expected.fragments.size());
    device.fill<cl_ushort>(fragments, 0, fragments.size);
    const auto starts = device.allocate<float>(expected.starts.size());
    device.fill<float>(starts, MATRIX_NOTHING, starts.size);
    const DeviceCentroids centroids = moved(device, vocabulary);
    Kernel kernel = device.kernel(
        "pack_matrix.cl", "pack_matrix",
        fmt::format("-DDIMENSIONS={} -DSTEPS={}", vocabulary.dimensions, expected.steps));
    device.launch(kernel, {vocabulary.size() * PACK_GROUP, 1}, {PACK_GROUP, 1}, centroids.values,
                  centroids.squares, fragments, starts, centroids.extent);
    CHECK(downloaded(device, fragments) == expected.fragments);
    CHECK(downloaded(device, starts) == expected.starts);
    const MatrixExtent found = matrix_extent(downloaded(device, centroids.extent));
    CHECK(found.scale == expected.scale);
    check_bound(found.norm, expected.norm);
    check_bound(found.residual, expected.residual);
    check_bound(found.half_square, expected.half_square);

    const WgmmaCentroids tiles(vocabulary, expected);
    const auto values = device.allocate<cl_ushort>(tiles.values.size());
    device.fill<cl_ushort>(values, 0, values.size);
    const auto lasts = device.allocate<cl_ushort>(tiles.lasts.size());
    device.fill<cl_ushort>(lasts, 0, lasts.size);
    Kernel after = device.kernel("pack_wgmma.cl", "pack_wgmma",
                                 fmt::format("-DDIMENSIONS={}", vocabulary.dimensions));
    const std::size_t width = WGMMA_SLAB * tiles.slabs;
    device.launch(after, {tiles.tiles * WGMMA_TILE * width, 1}, {width, 1}, centroids.values,
                  centroids.squares, static_cast<cl_uint>(vocabulary.size()), values, lasts,
                  centroids.extent);
    CHECK(downloaded(device, values) == tiles.values);
    CHECK(downloaded(device, lasts) == tiles.lasts);
    CHECK(std::bit_cast<float>(downloaded(device, centroids.extent)[EXTENT_LOWEST]) ==
          tiles.lowest);
}

void check_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary) {
    const auto tiles = upload_tiles(device, shape, vocabulary);
    const auto starts = upload_starts(device, shape, vocabulary);
    const auto expected = std::pair(downloaded(device, tiles), downloaded(device, starts));
    const auto others = random_vocabulary(vocabulary.size(), vocabulary.dimensions, 3);
    const auto packed = upload_tiles(device, shape, others); // what lay there is replaced
    const auto begins = upload_starts(device, shape, others);
    const DeviceCentroids centroids = moved(device, vocabulary);
    const std::size_t padded = round_up(vocabulary.dimensions, shape.slice);
    Kernel kernel = device.kernel("pack_tiles.cl", "pack_tiles",
                                  fmt::format("-DDIMENSIONS={} -DPADDED={} -DCOLUMNS={}",
                                              vocabulary.dimensions, padded, shape.columns));
    device.launch(kernel, {vocabulary.values.size(), 1}, {PACK_GROUP, 1}, centroids.values,
                  centroids.squares, static_cast<cl_uint>(vocabulary.size()), packed, begins);
    CHECK(std::pair(downloaded(device, packed), downloaded(device, begins)) == expected);
}

} // namespace

TEST_CASE("packing: for matrix units a device packs what the host does, bit for bit") {
    for (const std::size_t dimensions : {4, 36, 64, 128})
        for (const Vocabulary &vocabulary : vocabularies(dimensions)) {
            INFO(dimensions << " dimensions, " << vocabulary.size() << " words, about "
                            << vocabulary.values[0]);
            check_matrix(*shared_device(), vocabulary);
        }
}

TEST_CASE("packing: for tiles a device packs what the host does, bit for bit") {
    for (const TileShape &shape : tile_shapes())
        for (const std::size_t dimensions : {5, 64, 100}) {
            if (shape.integers) continue;
            INFO(shape.name << ", " << dimensions << " dimensions");
            for (const std::size_t k : {1, 31, 130})
                check_tiles(*shared_device(), shape, random_vocabulary(k, dimensions, 1));
        }
}

TEST_CASE("packing: a few words", "[oclgrind][pack_matrix.cl][pack_wgmma.cl][pack_tiles.cl]") {
    const Vocabulary three = random_vocabulary(3, 12, 1);
    check_matrix(*shared_device(), three);
    check_tiles(*shared_device(), tile_shapes().front(), three);
}
