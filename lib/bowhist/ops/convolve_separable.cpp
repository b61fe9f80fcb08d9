#include <bowhist/ops/convolve_separable.hpp>

#include <bowhist/ops/convolve_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace bowhist {
namespace {

Weights weights_of(std::span<const float> values) {
    static_assert(std::size(Weights{}.at) == 2 * Filter::max_radius + 1);
    Weights weights{};
    std::ranges::copy(values, weights.at);
    return weights;
}

/// Groups of the two passes, and the pixels that a work-item makes.
struct PassShape {
    Range group;
    std::size_t outputs;
};
constexpr PassShape row_pass = {{64, 4}, 4};
constexpr PassShape column_pass = {{32, 8}, 8};

/// Bytes of a group's tile, for a row of that many weights.
std::size_t row_bytes(std::size_t length) {
    return row_pass.group[1] * (row_pass.group[0] * row_pass.outputs + length - 1) * sizeof(float);
}

std::size_t column_bytes(std::size_t length) {
    return column_pass.group[0] * (column_pass.group[1] * column_pass.outputs + length - 1) *
           sizeof(float);
}

void check_side(std::span<const float> weights) {
    check_filter({weights.size(), 1, {weights.begin(), weights.end()}});
}

/// One launch of a pass by a filter of one row or one column.
void launch_pass(Device &device, const std::string &file, const DeviceImages<float> &in,
                 const DeviceImages<float> &out, const Filter &filter, Border border,
                 const PassShape &pass, Range groups) {
    check_filter(filter);
    if (const auto why = two_pass_obstacle(device, filter.weights.size()))
        throw Error(Fault::usage, fmt::format("convolve, in two passes: {}", *why));
    const ImageLayout layout = layout_of(in, out);
    if (in.empty()) return;
    const auto [width, height] = pass.group;
    launch(device,
           device.kernel(file, "convolve",
                         convolve_options(filter.width, filter.height, border) +
                             fmt::format(" -DWIDTH={} -DHEIGHT={} -DOUTPUTS={}", width, height,
                                         pass.outputs)),
           {groups[0] * width, groups[1] * height}, pass.group, in.pixels, out.pixels, layout,
           uploaded(device, filter.weights));
}

/// A work-item for each column that a group reads; whole warps of them.
std::size_t group_width(const SeparableTile &tile, std::size_t filter_width) {
    return round_up(tile.columns + filter_width + 2, 32);
}

/// The tile in local memory: the caller's, else one on a GPU that has room for it.
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
    const ImageLayout layout = layout_of(in, out);
    if (in.empty()) return;
    const std::size_t height = filter.down.size();
    const std::string shared = convolve_options(filter.across.size(), height, options.border);
    const auto run = [&](const char *file, const std::string &shape, Range global, Range group) {
        launch(device, device.kernel(file, "convolve", shared + shape), global, group, in.pixels,
               out.pixels, layout, weights_of(filter.across), weights_of(filter.down));
    };
    if (const auto tile = tile_for(device, options, filter.across.size())) {
        if (tile->columns % 4 != 0)
            throw Error(Fault::usage,
                        fmt::format("a tile of {} columns; give a multiple of 4", tile->columns));
        const std::size_t group = group_width(*tile, filter.across.size());
        run("convolve_separable_tiled.cl",
            shape_options({.lanes = 4, .strip = tile->strip}, layout) +
                fmt::format(" -DWIDTH={} -DOUT_WIDTH={} -DSTEP={}", group, tile->columns,
                            tile->step),
            {divided_up(in.width, tile->columns) * group,
             divided_up(in.height, tile->strip) * in.count},
            {group, 1});
    } else {
        const SlidingShape shape = options.shape.value_or(sliding_shape(device, height));
        run("convolve_separable.cl", shape_options(shape, layout), sliding_range(shape, layout),
            shape.group);
    }
}

std::optional<std::string> two_pass_obstacle(const Device &device, std::size_t length) {
    const auto rows = shortage(device, row_pass.group, row_bytes(length));
    return rows ? rows : shortage(device, column_pass.group, column_bytes(length));
}

void convolve_rows(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
                   std::span<const float> weights, Border border) {
    const auto [width, height] = row_pass.group;
    launch_pass(device, "convolve_rows.cl", in, out,
                {weights.size(), 1, {weights.begin(), weights.end()}}, border, row_pass,
                {divided_up(in.width, row_pass.outputs * width), divided_up(in.rows(), height)});
}

void convolve_columns(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
                      std::span<const float> weights, Border border) {
    const auto [width, height] = column_pass.group;
    launch_pass(device, "convolve_columns.cl", in, out,
                {1, weights.size(), {weights.begin(), weights.end()}}, border, column_pass,
                {divided_up(in.width, width),
                 divided_up(in.height, height * column_pass.outputs) * in.count});
}

} // namespace bowhist
