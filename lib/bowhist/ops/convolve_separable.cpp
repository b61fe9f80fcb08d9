#include <bowhist/ops/convolve_separable.hpp>

#include <bowhist/ops/convolve_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

} // namespace

void convolve_separable(Device &device, const DeviceImages<float> &in,
                        const DeviceImages<float> &out, const SeparableFilter &filter,
                        const ConvolveOptions &options) {
    check_side(filter.across);
    check_side(filter.down);
    const PictureLayout layout = layout_of(in, out);
    if (in.empty()) return;
    const std::size_t height = filter.down.size();
    const SlidingShape shape = options.shape.value_or(sliding_shape(device, height));
    Kernel kernel = device.kernel("convolve_separable.cl", "convolve",
                                  convolve_options(filter.across.size(), height, options.border) +
                                      shape_options(shape, layout));
    device.launch(kernel, sliding_range(shape, layout), shape.group, in.pixels, out.pixels, layout,
                  Weights(filter.across), Weights(filter.down));
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
