#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/scan_shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

constexpr std::size_t largest_group = 256; // several of them hide each other's barriers
constexpr std::size_t most_loads = 4;      // sixteen elements a work-item in registers
constexpr std::size_t enough_items = 128;  // a group smaller than this takes several rows
constexpr std::size_t fewest_leaves = 64;  // fewer would be one more kernel to build for each width

/// Local memory of a work-group.
std::size_t local_bytes(const ScanShape &shape) {
    return shape.rows * TREE_ROOM(shape.leaves()) * 4;
}

} // namespace

std::string ScanShape::options() const {
    return fmt::format("-DGROUP={} -DLOADS={} -DLEAVES={} -DROWS={} -DPADDED={:d}", group, loads,
                       leaves(), rows, padded);
}

ScanShape scan_shape(const DeviceLimits &limits, std::size_t width, bool padded) {
    ScanShape shape;
    shape.padded = padded;
    const std::size_t items = std::bit_floor(std::max<std::size_t>(limits.work_group_size, 1));
    const std::size_t leaves =
        std::bit_ceil(std::max(divided_up(width, shape.leaf), fewest_leaves));
    shape.loads = most_loads;
    shape.group = std::min({leaves / shape.loads, largest_group, items});
    shape.rows = std::max<std::size_t>(std::min(enough_items, items) / shape.group, 1);
    while (local_bytes(shape) > limits.local_bytes && shape.rows > 1) shape.rows /= 2;
    while (local_bytes(shape) > limits.local_bytes && shape.group > 1) shape.group /= 2;
    return shape;
}

std::size_t chunk_of(const Device &device, std::size_t size, std::size_t tile) {
    constexpr std::size_t chunks_a_unit = 16;
    const std::size_t chunks =
        std::max<std::size_t>(device.info().compute_units, 1) * chunks_a_unit;
    return divided_up(size, chunks * tile) * tile;
}

} // namespace bowhist
