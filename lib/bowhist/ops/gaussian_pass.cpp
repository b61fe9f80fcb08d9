#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/gaussian_pass.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {

namespace {

constexpr std::size_t vector_columns = 16;
constexpr std::size_t fewest_segment_rows = 64;

void store(const std::array<std::complex<double>, 2> &values, cl_float *real, cl_float *imaginary) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        real[i] = static_cast<cl_float>(values[i].real());
        imaginary[i] = static_cast<cl_float>(values[i].imag());
    }
}

Gaussian for_device(const GaussianFilter &filter) {
    Gaussian gaussian;
    store(filter.poles, gaussian.pole_real, gaussian.pole_imaginary);
    store(filter.weights, gaussian.weight_real, gaussian.weight_imaginary);
    store({1.0 / (1.0 - filter.poles[0]), 1.0 / (1.0 - filter.poles[1])}, gaussian.settled_real,
          gaussian.settled_imaginary);
    gaussian.half_center = static_cast<cl_float>(filter.half_center);
    return gaussian;
}

Power power(const GaussianFilter &filter, std::size_t rows) {
    Power result;
    const auto exponent = static_cast<double>(rows);
    store({std::pow(filter.poles[0], exponent), std::pow(filter.poles[1], exponent)}, result.real,
          result.imaginary);
    return result;
}

/// Columns that fill a device: a GPU hides memory's latency by many of them; a CPU wants some
/// vectors for each core.
std::size_t filling_columns(const Device &device) {
    const std::size_t a_unit = device.info().kind == DeviceKind::cpu ? 4 * vector_columns : 512;
    return device.info().compute_units * a_unit;
}

/// Work-items of a group that share nothing.
std::size_t plain_group(const Device &device) {
    return device.info().kind == DeviceKind::cpu ? 1 : 64;
}

/// Rows that a work-item has under way: enough to hide latency, few enough for registers.
std::size_t rows_under_way(const Device &device, std::size_t width) {
    if (device.info().kind == DeviceKind::cpu) return width == 1 ? 1 : 4;
    return width == 1 ? 16 : 8;
}

std::string width_options(const Device &device, std::size_t width, bool whole_vectors) {
    return fmt::format("-DWIDTH={} -DROWS={}{}", width, rows_under_way(device, width),
                       whole_vectors ? " -DWHOLE_VECTORS" : "");
}

} // namespace

GaussianPass::GaussianPass(Device &device, const GaussianFilter &filter, unsigned width,
                           std::size_t segment_rows, Buffer<float> &kept, Buffer<float> &states)
    : device_(device), filter_(filter), width_(width), segment_rows_(segment_rows), kept_(kept),
      states_(states) {}

GaussianCut GaussianPass::cut(const DeviceImages<float> &in, const DeviceImages<float> &out) const {
    std::size_t rows = segment_rows_;
    if (rows == 0) {
        const std::size_t columns = in.width * in.count;
        const std::size_t wanted = std::max<std::size_t>(1, filling_columns(device_) / columns);
        rows = std::max(in.height / wanted, fewest_segment_rows);
    }
    rows = std::min(round_up(rows, 32), round_up(in.height, 32));
    const std::size_t segments = divided_up(in.height, rows);
    return {.width = as_uint(in.width),
            .height = as_uint(in.height),
            .in_pitch = as_uint(in.pitch),
            .out_pitch = as_uint(out.pitch),
            .count = as_uint(in.count),
            .segments = as_uint(segments),
            .segment_rows = as_uint(rows),
            .state_pitch = as_uint(round_up(in.width, vector_columns))};
}

void GaussianPass::start_segments(const DeviceImages<float> &in, const GaussianCut &shape,
                                  unsigned width) {
    const std::size_t strips = std::size_t{shape.count} * shape.segments;
    reserve(device_, states_, shape.segments > 1 ? strips * 8 * shape.state_pitch : 1);
    if (shape.segments == 1) return;
    const std::size_t across = divided_up(shape.width, width);
    const Range group = {plain_group(device_), 1};
    const std::string options = width_options(device_, width, false);
    const Gaussian gaussian = for_device(filter_);
    Kernel ends = device_.kernel("gaussian_segments.cl", "segment_ends", options);
    device_.launch(ends, {across, strips}, group, in.pixels, states_, shape, gaussian);
    Kernel starts = device_.kernel("gaussian_segments.cl", "segment_starts", options);
    const std::size_t last_rows = shape.height - (shape.segments - 1) * shape.segment_rows;
    device_.launch(starts, {across, shape.count}, group, in.pixels, states_, shape, gaussian,
                   power(filter_, shape.segment_rows), power(filter_, last_rows));
}

void GaussianPass::rows(const DeviceImages<float> &in, const DeviceImages<float> &out) {
    Kernel kernel =
        device_.kernel("gaussian_rows.cl", "blur_rows", fmt::format("-DPIXELS={}", width_));
    device_.launch(kernel, {in.rows(), 1}, {plain_group(device_), 1}, in.pixels, out.pixels,
                   cut(in, out), for_device(filter_));
}

void GaussianPass::columns(const DeviceImages<float> &in, const DeviceImages<float> &out) {
    const bool whole_vectors = in.pitch % width_ == 0 && out.pitch % width_ == 0;
    const GaussianCut shape = cut(in, out);
    start_segments(in, shape, width_);
    Kernel kernel = device_.kernel("gaussian_columns.cl", "blur_columns",
                                   width_options(device_, width_, whole_vectors));
    device_.launch(
        kernel, {divided_up(in.width, width_), std::size_t{shape.count} * shape.segments},
        {plain_group(device_), 1}, in.pixels, out.pixels, states_, shape, for_device(filter_));
}

void GaussianPass::columns_transposed(const DeviceImages<float> &in,
                                      const DeviceImages<float> &out) {
    if (width_ == vector_columns)
        columns_transposed_by_vectors(in, out);
    else
        columns_transposed_by_groups(in, out);
}

void GaussianPass::columns_transposed_by_groups(const DeviceImages<float> &in,
                                                const DeviceImages<float> &out) {
    std::size_t group = 32;
    while (group > 1 && (group > device_.limits().work_group_size ||
                         group * (group + 1) * sizeof(float) > device_.limits().local_bytes))
        group /= 2;
    const GaussianCut shape = cut(in, out);
    start_segments(in, shape, 1);
    reserve(device_, kept_, in.elements());
    Kernel kernel =
        device_.kernel("gaussian_transposed.cl", "blur_transposed",
                       fmt::format("-DGROUP={} -DROWS={}", group,
                                   std::min<std::size_t>(group, rows_under_way(device_, 1))));
    device_.launch(kernel, {in.width, std::size_t{shape.count} * shape.segments}, {group, 1},
                   in.pixels, kept_, out.pixels, states_, shape, for_device(filter_));
}

void GaussianPass::columns_transposed_by_vectors(const DeviceImages<float> &in,
                                                 const DeviceImages<float> &out) {
    const GaussianCut shape = cut(in, out);
    start_segments(in, shape, vector_columns);
    const std::size_t strips =
        shape.state_pitch / vector_columns * std::size_t{shape.count} * shape.segments;
    const std::size_t items = std::min<std::size_t>(strips, 8 * device_.info().compute_units);
    reserve(device_, kept_, items * shape.segment_rows * vector_columns);
    Kernel kernel = device_.kernel("gaussian_transposed_vectors.cl", "blur_transposed",
                                   fmt::format("-DWIDTH={} -DROWS=4", vector_columns));
    device_.launch(kernel, {items, 1}, {1, 1}, in.pixels, kept_, out.pixels, states_, shape,
                   for_device(filter_));
}

} // namespace bowhist
