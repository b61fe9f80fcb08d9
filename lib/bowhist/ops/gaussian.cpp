#include <bowhist/core/error.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_pass.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

void check(const DeviceImages<float> &in, const DeviceImages<float> &out) {
    if (in.width != out.width || in.height != out.height || in.count != out.count)
        throw Error(Fault::usage,
                    fmt::format("{} pictures of {}×{} cannot be blurred into {} of {}×{}; give the "
                                "result the same size",
                                in.count, in.width, in.height, out.count, out.width, out.height));
}

/// Images of that size in `buffer`, at a pitch that suits reading their columns.
DeviceImages<float> images_in(Device &device, Buffer<float> &buffer, std::size_t width,
                              std::size_t height, std::size_t count) {
    const std::size_t pitch = channel_free_pitch(width, sizeof(float));
    reserve(device, buffer, pitch * height * count);
    return {.pixels = buffer, .width = width, .height = height, .pitch = pitch, .count = count};
}

} // namespace

const std::vector<GaussianShape> &gaussian_shapes() {
    static const std::vector<GaussianShape> shapes = {
        {GaussianWalk::rows_then_columns, 1, "rows"},
        {GaussianWalk::rows_then_columns, 4, "rows4"},
        {GaussianWalk::transposes, 1, "transposes"},
        {GaussianWalk::transposes, 4, "transposes4"},
        {GaussianWalk::transposes, 16, "transposes16"},
        {GaussianWalk::transposed, 1, "turned"},
        {GaussianWalk::transposed, 16, "turned16"},
    };
    return shapes;
}

const GaussianShape &gaussian_shape_for(const Device &device) {
    const std::size_t width = device.info().kind == DeviceKind::cpu ? 16 : 1;
    for (const GaussianShape &shape : gaussian_shapes())
        if (shape.walk == GaussianWalk::transposed && shape.width == width) return shape;
    return gaussian_shapes().front();
}

void gaussian_blur(Device &device, const DeviceImages<float> &in, double sigma,
                   const DeviceImages<float> &out, GaussianScratch &scratch,
                   const GaussianOptions &options) {
    check(in, out);
    const GaussianFilter filter = gaussian_filter(sigma);
    if (in.empty()) return;
    const GaussianShape &shape = options.shape ? *options.shape : gaussian_shape_for(device);
    const GaussianPass pass{device, filter, shape.width, options.segment_rows, scratch};
    const auto upright_in = [&](Buffer<float> &buffer) {
        return images_in(device, buffer, in.width, in.height, in.count);
    };
    const auto transposed_in = [&](Buffer<float> &buffer) {
        return images_in(device, buffer, in.height, in.width, in.count);
    };
    switch (shape.walk) {
    case GaussianWalk::rows_then_columns: {
        const DeviceImages<float> middle = upright_in(scratch.middle);
        pass.rows(in, middle);
        pass.columns(middle, out);
        return;
    }
    case GaussianWalk::transposes: {
        const DeviceImages<float> upright = upright_in(scratch.kept);
        const DeviceImages<float> transposed = transposed_in(scratch.middle);
        pass.columns(in, upright);
        transpose(device, upright, transposed);
        const DeviceImages<float> blurred = transposed_in(scratch.kept);
        pass.columns(transposed, blurred);
        transpose(device, blurred, out);
        return;
    }
    case GaussianWalk::transposed: {
        const DeviceImages<float> transposed = transposed_in(scratch.middle);
        pass.columns_transposed(in, transposed);
        pass.columns_transposed(transposed, out);
        return;
    }
    }
}

} // namespace bowhist
