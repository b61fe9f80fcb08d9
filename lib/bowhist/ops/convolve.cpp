#include <bowhist/ops/convolve.hpp>

#include <bowhist/ops/convolve_launch.hpp>
#include <bowhist/ops/convolve_separable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

/// One launch: the work-items, and the kernel's -D options for its tile.
struct Tiling {
    Range global;
    std::string options;
};

std::size_t square_tile_bytes(std::size_t side) {
    return side * side * sizeof(float);
}

constexpr Range usual_group = {32, 8};

std::size_t square_of(const Device &device, const ConvolveOptions &options) {
    return options.square > 0 ? options.square : square_tile(device);
}

SlidingShape shape_of(const Device &device, const Filter &filter, const ConvolveOptions &options) {
    return options.shape.value_or(sliding_shape(device, filter.height));
}

struct WorkGroup {
    Range items;
    std::size_t local_bytes = 0; ///< the tile
};

WorkGroup group_of(ConvolveMethod method, const Device &device, const Filter &filter,
                   const ConvolveOptions &options) {
    switch (method) {
    case ConvolveMethod::tiled_input:
    case ConvolveMethod::cached: {
        const std::size_t side = square_of(device, options);
        return {{side, side}, square_tile_bytes(side)};
    }
    case ConvolveMethod::tiled_output:
        return {usual_group, (usual_group[0] + filter.width - 1) *
                                 (usual_group[1] * options.outputs + filter.height - 1) *
                                 sizeof(float)};
    case ConvolveMethod::sliding:
    case ConvolveMethod::separable:
        return {shape_of(device, filter, options).group};
    default:
        return {usual_group};
    }
}

Tiling tiling_of(ConvolveMethod method, const Device &device, const DeviceImages<float> &in,
                 const ImageLayout &layout, const Filter &filter, const ConvolveOptions &options) {
    const std::size_t tile = square_of(device, options);
    switch (method) {
    case ConvolveMethod::tiled_input: {
        const std::size_t across = divided_up(in.width, tile - filter.width + 1);
        const std::size_t down = divided_up(in.height, tile - filter.height + 1);
        return {{across * tile, down * in.count * tile}, fmt::format(" -DTILE={}", tile)};
    }
    case ConvolveMethod::tiled_output: {
        const auto [width, height] = usual_group;
        const std::size_t down = divided_up(in.height, height * options.outputs);
        return {
            {in.width, down * in.count * height},
            fmt::format(" -DWIDTH={} -DHEIGHT={} -DOUTPUTS={}", width, height, options.outputs)};
    }
    case ConvolveMethod::cached:
        return {{in.width, divided_up(in.height, tile) * in.count * tile},
                fmt::format(" -DTILE={}", tile)};
    case ConvolveMethod::sliding: {
        const SlidingShape shape = shape_of(device, filter, options);
        return {sliding_range(shape, layout), shape_options(shape, layout)};
    }
    default: // a pixel each
        return {{in.width, in.rows()}, ""};
    }
}

ConvolveMethod chosen(ConvolveMethod method, const Filter &filter) {
    if (method != ConvolveMethod::automatic) return method;
    return factors(filter) ? ConvolveMethod::separable : ConvolveMethod::sliding;
}

} // namespace

std::string name_of(ConvolveMethod method) {
    constexpr std::array names = {"automatic",    "basic",  "constant", "tiled_input",
                                  "tiled_output", "cached", "sliding",  "separable"};
    return names[static_cast<std::size_t>(method)];
}

std::size_t square_tile(const Device &device) {
    const DeviceLimits &limits = device.limits();
    return limits.work_group_size >= 32 * 32 && limits.local_bytes >= square_tile_bytes(32) ? 32
                                                                                            : 16;
}

std::optional<std::string> obstacle(ConvolveMethod method, const Device &device,
                                    const Filter &filter, const ConvolveOptions &options) {
    const std::size_t tile = square_of(device, options);
    if (method == ConvolveMethod::tiled_input && std::max(filter.width, filter.height) > tile / 2)
        return fmt::format("of {0}x{0} work-items, too few would make pixels with a filter of "
                           "{1}x{2}; take tiled_output",
                           tile, filter.width, filter.height);
    if (method == ConvolveMethod::separable && !factors(filter))
        return "the filter is not the product of a column and a row; take sliding";
    const auto [group, local_bytes] = group_of(method, device, filter, options);
    return shortage(device, group, local_bytes);
}

ConvolveGrid convolve_grid(ConvolveMethod method, const Device &device,
                           const DeviceImages<float> &in, const Filter &filter,
                           const ConvolveOptions &options) {
    const Range global =
        tiling_of(method, device, in, layout_of(in, {{}, in.width, in.height, in.pitch, in.count}),
                  filter, options)
            .global;
    const Range group = group_of(method, device, filter, options).items;
    return {{divided_up(global[0], group[0]), divided_up(global[1], group[1])}, group};
}

void convolve(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
              const Filter &filter, const ConvolveOptions &options) {
    check_filter(filter);
    const ConvolveMethod method = chosen(options.method, filter);
    if (const auto why = obstacle(method, device, filter, options))
        throw Error(Fault::usage, fmt::format("convolve, {}: {}", name_of(method), *why));
    if (method == ConvolveMethod::separable)
        return convolve_separable(device, in, out, *factors(filter), options);
    const ImageLayout layout = layout_of(in, out);
    if (in.empty()) return;
    const Tiling tiling = tiling_of(method, device, in, layout, filter, options);
    launch(device,
           device.kernel(fmt::format("convolve_{}.cl", name_of(method)), "convolve",
                         convolve_options(filter.width, filter.height, options.border) +
                             tiling.options),
           tiling.global, group_of(method, device, filter, options).items, in.pixels, out.pixels,
           layout, uploaded(device, filter.weights));
}

} // namespace bowhist
