// What the kernels' loops ask of memory, counted by walking through their launches.
#include "tests/support/levels.hpp"

#include <bowhist/ops/convolve_bytes.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t width = 70, height = 45, count = 2;

bool in_image(std::size_t x, std::size_t y) {
    return x < width && y < height;
}

/// Tiles of side × side with their halo, an item a pixel; the items inside make pixels.
std::size_t floats_of_input_tiles(std::size_t side, std::size_t filter) {
    const std::size_t made = side - filter + 1;
    std::size_t floats = 0;
    for (std::size_t top = 0; top < height; top += made)
        for (std::size_t left = 0; left < width; left += made)
            for (std::size_t y = 0; y < side; ++y)
                for (std::size_t x = 0; x < side; ++x) {
                    floats += 1; // loaded
                    if (y < made && x < made && in_image(left + x, top + y))
                        floats += filter * filter + 1; // weights, and written
                }
    return count * floats;
}

/// Groups of 32×8 items that make four pixels each.
std::size_t floats_of_output_tiles(std::size_t filter) {
    std::size_t floats = 0;
    for (std::size_t top = 0; top < height; top += 32)
        for (std::size_t left = 0; left < width; left += 32) {
            floats += (32 + filter - 1) * (32 + filter - 1);
            for (std::size_t y = 0; y < 32; ++y)
                for (std::size_t x = 0; x < 32; ++x)
                    floats += filter * filter + (in_image(left + x, top + y) ? 1 : 0);
        }
    return count * floats;
}

/// Tiles without a halo: a neighbor in another tile is loaded anew.
std::size_t floats_of_cached_tiles(std::size_t side, std::size_t filter) {
    const auto radius = static_cast<long>(filter / 2);
    const auto tile_of = [&](long place) { // signed: -1 is in the tile before
        return (place + static_cast<long>(side)) / static_cast<long>(side);
    };
    const auto across = (width + side - 1) / side, down = (height + side - 1) / side;
    std::size_t floats = across * down * side * side;
    for (long y = 0; y < static_cast<long>(height); ++y)
        for (long x = 0; x < static_cast<long>(width); ++x) {
            floats += filter * filter + 1;
            for (long j = -radius; j <= radius; ++j)
                for (long i = -radius; i <= radius; ++i)
                    if (tile_of(x + i) != tile_of(x) || tile_of(y + j) != tile_of(y)) ++floats;
        }
    return count * floats;
}

} // namespace

TEST_CASE("convolve: bytes are those of the launch, halos and edges included", "[convolve]") {
    for (const std::size_t most_items : {4096, 256}) {
        const auto device = limited_device([&](DeviceLimits &limits) {
            limits.work_group_size = std::min(limits.work_group_size, most_items);
        });
        const std::size_t tile = square_tile(*device);
        const auto images = allocate_images<float>(*device, width, height, count);
        for (const std::size_t side : {3, 5, 9}) {
            if (side > tile / 2) continue;
            const Filter filter{side, side, std::vector<float>(side * side, 1)};
            const auto floats = [&](ConvolveMethod method) {
                return *convolve_bytes(method, *device, images, filter) / sizeof(float);
            };
            INFO(side << " × " << side << " weights, tiles of " << tile);
            CHECK(floats(ConvolveMethod::basic) == count * width * height * (2 * side * side + 1));
            CHECK(floats(ConvolveMethod::constant) == floats(ConvolveMethod::basic));
            CHECK(floats(ConvolveMethod::tiled_input) == floats_of_input_tiles(tile, side));
            CHECK(floats(ConvolveMethod::tiled_output) == floats_of_output_tiles(side));
            CHECK(floats(ConvolveMethod::cached) == floats_of_cached_tiles(tile, side));
            CHECK_FALSE(convolve_bytes(ConvolveMethod::sliding, *device, images, filter));
        }
    }
}
