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

GaussianCut cut_of(const GaussianPass &pass, const DeviceImages<float> &in,
                   const DeviceImages<float> &out) {
    std::size_t rows = pass.segment_rows;
    if (rows == 0) {
        const std::size_t columns = in.width * in.count;
        const std::size_t wanted = std::max<std::size_t>(1, filling_columns(pass.device) / columns);
        rows = std::max(in.height / wanted, fewest_segment_rows);
    }
    rows = std::min(round_up(rows, 32), round_up(in.height, 32));
    return {.width = as_uint(in.width),
            .height = as_uint(in.height),
            .in_pitch = as_uint(in.pitch),
            .out_pitch = as_uint(out.pitch),
            .count = as_uint(in.count),
            .segments = as_uint(divided_up(in.height, rows)),
            .segment_rows = as_uint(rows),
            .state_pitch = as_uint(round_up(in.width, vector_columns))};
}

/// Finds the states in which the segments begin.
void start_segments(const GaussianPass &pass, const DeviceImages<float> &in, const GaussianCut &cut,
                    unsigned width) {
    Device &device = pass.device;
    Buffer<float> &states = pass.scratch.states;
    const std::size_t strips = std::size_t{cut.count} * cut.segments;
    reserve(device, states, cut.segments > 1 ? strips * 8 * cut.state_pitch : 1);
    if (cut.segments == 1) return;
    const std::size_t across = divided_up(cut.width, width);
    const Range group = {plain_group(device), 1};
    const std::string options = width_options(device, width, false);
    const Gaussian gaussian = for_device(pass.filter);
    launch(device, device.kernel("gaussian_segments.cl", "segment_ends", options), {across, strips},
           group, in.pixels, states, cut, gaussian);
    const std::size_t last_rows = cut.height - (cut.segments - 1) * cut.segment_rows;
    launch(device, device.kernel("gaussian_segments.cl", "segment_starts", options),
           {across, cut.count}, group, in.pixels, states, cut, gaussian,
           power(pass.filter, cut.segment_rows), power(pass.filter, last_rows));
}

/// Work-items whose square tile of floats fits local memory, at most 32.
std::size_t tile_group(const DeviceLimits &limits) {
    std::size_t group = 32;
    while (group > 1 && (group > limits.work_group_size ||
                         group * (group + 1) * sizeof(float) > limits.local_bytes))
        group /= 2;
    return group;
}

} // namespace

void GaussianPass::rows(const DeviceImages<float> &in, const DeviceImages<float> &out) const {
    launch(device,
           device.kernel("gaussian_rows.cl", "blur_rows", fmt::format("-DPIXELS={}", width)),
           {in.rows(), 1}, {plain_group(device), 1}, in.pixels, out.pixels, cut_of(*this, in, out),
           for_device(filter));
}

void GaussianPass::columns(const DeviceImages<float> &in, const DeviceImages<float> &out) const {
    const bool whole_vectors = in.pitch % width == 0 && out.pitch % width == 0;
    const GaussianCut cut = cut_of(*this, in, out);
    start_segments(*this, in, cut, width);
    launch(device,
           device.kernel("gaussian_columns.cl", "blur_columns",
                         width_options(device, width, whole_vectors)),
           {divided_up(in.width, width), std::size_t{cut.count} * cut.segments},
           {plain_group(device), 1}, in.pixels, out.pixels, scratch.states, cut,
           for_device(filter));
}

void GaussianPass::columns_transposed(const DeviceImages<float> &in,
                                      const DeviceImages<float> &out) const {
    const GaussianCut cut = cut_of(*this, in, out);
    const std::size_t strips = std::size_t{cut.count} * cut.segments;
    const bool by_vectors = width == vector_columns;
    start_segments(*this, in, cut, by_vectors ? vector_columns : 1);
    const auto run = [&](const char *file, const std::string &options, Range global,
                         std::size_t group, std::size_t kept) {
        reserve(device, scratch.kept, kept);
        launch(device, device.kernel(file, "blur_transposed", options), global, {group, 1},
               in.pixels, scratch.kept, out.pixels, scratch.states, cut, for_device(filter));
    };
    if (by_vectors) {
        const std::size_t items = std::min<std::size_t>(cut.state_pitch / vector_columns * strips,
                                                        8 * device.info().compute_units);
        run("gaussian_transposed_vectors.cl", fmt::format("-DWIDTH={} -DROWS=4", vector_columns),
            {items, 1}, 1, items * cut.segment_rows * vector_columns);
    } else {
        const std::size_t group = tile_group(device.limits());
        const std::size_t rows = std::min(group, rows_under_way(device, 1));
        run("gaussian_transposed.cl", fmt::format("-DGROUP={} -DROWS={}", group, rows),
            {in.width, strips}, group, in.elements());
    }
}

} // namespace bowhist
