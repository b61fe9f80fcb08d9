#include <bowhist/ops/convolve_bytes.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// Counts the neighbors of all of `size` places in tiles of `tile`: up to `radius` away and in the
/// place's own tile, the place itself among them.
std::size_t neighbors_in_tile(std::size_t size, std::size_t tile, std::size_t radius) {
    std::size_t neighbors = 0;
    for (std::size_t place = 0; place < size; ++place) {
        const std::size_t in_tile = place % tile;
        neighbors += std::min(in_tile, radius) + 1 + std::min(tile - 1 - in_tile, radius);
    }
    return neighbors;
}

} // namespace

std::optional<double> convolve_bytes(ConvolveMethod method, const Device &device,
                                     const DeviceImages<float> &in, const Filter &filter,
                                     const ConvolveOptions &options) {
    if (method == ConvolveMethod::sliding || method == ConvolveMethod::separable)
        return std::nullopt;
    const auto [groups, group] = convolve_grid(method, device, in, filter, options);
    const std::size_t group_count = groups[0] * groups[1];
    const std::size_t pixels = in.width * in.rows();
    const std::size_t weights = filter.weights.size();
    std::size_t loads = 0;
    std::size_t weighed = pixels; // each with all weights
    switch (method) {
    case ConvolveMethod::tiled_input:
        loads = group_count * group[0] * group[1];
        break;
    case ConvolveMethod::tiled_output: // beyond the edge sums are made, too, and not written
        loads = group_count * (group[0] + filter.width - 1) *
                (group[1] * options.outputs + filter.height - 1);
        weighed = group_count * group[0] * group[1] * options.outputs;
        break;
    case ConvolveMethod::cached:
        loads = group_count * group[0] * group[1] + pixels * weights -
                neighbors_in_tile(in.width, group[0], filter.width / 2) * in.count *
                    neighbors_in_tile(in.height, group[1], filter.height / 2);
        break;
    default: // basic, constant
        loads = pixels * weights;
    }
    return static_cast<double>(sizeof(float)) *
           static_cast<double>(loads + weighed * weights + pixels);
}

} // namespace bowhist
