#include <bowhist/ops/convolve_separable.hpp>

#include <bowhist/ops/convolve_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace bowhist {
namespace {

/// `Weights` of convolve_separable.cl.
struct Weights {
    std::array<float, 2 *Filter::max_radius + 1> at = {};

    explicit Weights(std::span<const float> weights) { std::ranges::copy(weights, at.begin()); }
};

void check_side(std::span<const float> weights) {
    check_filter({weights.size(), 1, {weights.begin(), weights.end()}});
}

Buffer<float> uploaded(Device &device, std::span<const float> weights) {
    auto buffer = device.allocate<float>(weights.size());
    device.upload(buffer, weights);
    return buffer;
}

/// A work-item for each column that a group reads; whole warps of them.
std::size_t group_width(const SeparableTile &tile, std::size_t filter_width) {
    return divided_up(tile.columns + filter_width + 2, 32) * 32;
}

/// Where nothing else is asked for: through local memory on a GPU that has room for it.
std::optional<SeparableTile> tile_for(const Device &device, const ConvolveOptions &options,
                                      std::size_t filter_width) {
    if (options.tile || options.shape) return options.tile;
    const SeparableTile tile;
    const DeviceLimits &limits = device.limits();
    const std::size_t group = group_width(tile, filter_width);
    const bool fits = group <= limits.work_group_size &&
                      2 * group * tile.step * sizeof(float) <= limits.local_bytes;
    return device.info().kind == DeviceKind::gpu && fits ? std::optional(tile) : std::nullopt;
}

} // namespace

void convolve_separable(Device &device, const DeviceImages<float> &in,
                        const DeviceImages<float> &out, const SeparableFilter &filter,
                        const ConvolveOptions &options) {
    check_side(filter.across);
    check_side(filter.down);
    const PictureLayout layout = layout_of(in, out);
    if (in.empty()) return;
    const std::size_t height = filter.down.size();
    const std::string shared = convolve_options(filter.across.size(), height, options.border);
    const auto launch = [&](const char *file, const std::string &shape, Range global, Range group) {
        Kernel kernel = device.kernel(file, "convolve", shared + shape);
        device.launch(kernel, global, group, in.pixels, out.pixels, layout, Weights(filter.across),
                      Weights(filter.down));
    };
    if (const auto tile = tile_for(device, options, filter.across.size())) {
        const std::size_t group = group_width(*tile, filter.across.size());
        launch("convolve_separable_tiled.cl",
               shape_options({.lanes = 4, .strip = tile->strip}, layout) +
                   fmt::format(" -DWIDTH={} -DOUT_WIDTH={} -DSTEP={}", group, tile->columns,
                               tile->step),
               {divided_up(in.width, tile->columns) * group,
                divided_up(in.height, tile->strip) * in.count},
               {group, 1});
    } else {
        const SlidingShape shape = options.shape.value_or(sliding_shape(device, height));
        launch("convolve_separable.cl", shape_options(shape, layout), sliding_range(shape, layout),
               shape.group);
    }
}

void convolve_rows(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
                   std::span<const float> weights, Border border) {
    check_side(weights);
    const PictureLayout layout = layout_of(in, out);
    if (in.empty()) return;
    constexpr std::size_t width = 64, height = 4, outputs = 4;
    Kernel kernel = device.kernel(
        "convolve_rows.cl", "convolve",
        convolve_options(weights.size(), 1, border) +
            fmt::format(" -DWIDTH={} -DHEIGHT={} -DOUTPUTS={}", width, height, outputs));
    device.launch(kernel, {divided_up(in.width, outputs * width) * width, in.rows()},
                  {width, height}, in.pixels, out.pixels, layout, uploaded(device, weights));
}

void convolve_columns(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
                      std::span<const float> weights, Border border) {
    check_side(weights);
    const PictureLayout layout = layout_of(in, out);
    if (in.empty()) return;
    constexpr std::size_t width = 32, height = 8, outputs = 8;
    Kernel kernel = device.kernel(
        "convolve_columns.cl", "convolve",
        convolve_options(1, weights.size(), border) +
            fmt::format(" -DWIDTH={} -DHEIGHT={} -DOUTPUTS={}", width, height, outputs));
    const std::size_t tiles_down = divided_up(in.height, height * outputs);
    device.launch(kernel, {in.width, tiles_down * in.count * height}, {width, height}, in.pixels,
                  out.pixels, layout, uploaded(device, weights));
}

} // namespace bowhist
