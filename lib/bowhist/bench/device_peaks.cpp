#include <bowhist/bench/device_peaks.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t chains = 12; // of peak_fma.cl
constexpr std::size_t warp = 32;   // of peak_matrix.cl
constexpr std::size_t tiles = 16;  // of peak_matrix.cl
constexpr double tile_operations = 2.0 * 16 * 8 * 16;
constexpr cl_uint matrix_steps = 1U << 13; // some ten milliseconds
constexpr cl_uint operand = 0x30003000;    // 1/8 twice, in fp16

bool is_gpu(const Device &device) {
    return device.info().kind == DeviceKind::gpu;
}

/// How a kernel of one dimension is cut for a device: a GPU wants many small work-items, a CPU few
/// that are wide.
struct Shape {
    std::size_t items;
    std::size_t group;
    std::size_t lanes; ///< floats in a vector
    cl_uint steps;     ///< of each work-item: for a round of some ten milliseconds
};

Shape arithmetic_shape(const Device &device) {
    const std::size_t units = std::max<std::size_t>(1, device.info().compute_units);
    if (is_gpu(device)) {
        const std::size_t group = std::min<std::size_t>(256, device.limits().work_group_size);
        return {units * group * 32, group, 1, 1U << 14};
    }
    return {units * 16, 1, std::max<std::size_t>(1, device.info().preferred_float_vector),
            1U << 17};
}

std::string vector_option(std::size_t lanes) {
    return lanes == 1 ? "-DVECTOR=float" : fmt::format("-DVECTOR=float{}", lanes);
}

Case peak_case(const Device &device, Roof roof) {
    return Case{{"peak", name_of(roof), Place::device, device.info().name}};
}

Case fma_peak(const std::shared_ptr<Device> &device) {
    const Shape shape = arithmetic_shape(*device);
    Kernel kernel = device->kernel("peak_fma.cl", "peak_fma", vector_option(shape.lanes));
    const auto out = device->allocate<float>(shape.items * shape.lanes);
    Case peak = peak_case(*device, Roof::fma);
    peak.work.operations =
        2.0 * static_cast<double>(shape.items * shape.lanes * chains) * shape.steps;
    peak.run = [=]() mutable {
        return time_launches(*device, [&] {
            device->launch(kernel, {shape.items, 1}, {shape.group, 1}, shape.steps, 0.75F, 0.25F,
                           out);
        });
    };
    return peak;
}

Case copy_peak(const std::shared_ptr<Device> &device) {
    constexpr std::size_t lanes = 4;
    const std::size_t wanted = std::size_t{is_gpu(*device) ? 256U : 64U} << 20;
    const std::size_t bytes =
        std::min<std::size_t>(wanted, device->limits().allocation_bytes / 4) / 4096 * 4096;
    const std::size_t floats = bytes / sizeof(float);
    const std::size_t group = std::min<std::size_t>(256, device->limits().work_group_size);
    Kernel kernel = device->kernel("peak_copy.cl", "peak_copy", vector_option(lanes));
    const auto from = device->allocate<float>(floats);
    const auto to = device->allocate<float>(floats);
    device->fill(from, 1.0F, floats);
    Case peak = peak_case(*device, Roof::copy);
    peak.cache_bytes = device->info().cache;
    peak.work.bytes_read = static_cast<double>(bytes);
    peak.work.bytes_written = static_cast<double>(bytes);
    peak.run = [=]() mutable {
        return time_launches(*device, [&] {
            device->launch(kernel, {floats / lanes, 1}, {group, 1}, from, to,
                           static_cast<cl_uint>(floats / lanes));
        });
    };
    return peak;
}

Case matrix_peak(const std::shared_ptr<Device> &device) {
    const std::size_t group = 8 * warp;
    const std::size_t items = device->info().compute_units * group * 8;
    Kernel kernel = device->kernel("peak_matrix.cl", "peak_matrix");
    const auto out = device->allocate<float>(items);
    Case peak = peak_case(*device, Roof::matrix);
    peak.work.operations =
        static_cast<double>(items / warp * tiles) * tile_operations * matrix_steps;
    peak.run = [=]() mutable {
        return time_launches(*device, [&] {
            device->launch(kernel, {items, 1}, {group, 1}, matrix_steps, operand, out);
        });
    };
    return peak;
}

bool is_nvidia(const Device &device) {
    return device.info().vendor.find("NVIDIA") != std::string::npos && is_gpu(device);
}

/// The peak, or why the device has none: its compiler may refuse the kernel.
Case or_reason(const std::shared_ptr<Device> &device, Roof roof,
               Case (*make)(const std::shared_ptr<Device> &)) {
    try {
        return make(device);
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        return not_here(peak_case(*device, roof).subject, error.what());
    }
}

} // namespace

std::vector<Case> device_peaks(const std::shared_ptr<Device> &device) {
    std::vector<Case> peaks = {or_reason(device, Roof::fma, fma_peak),
                               or_reason(device, Roof::copy, copy_peak)};
    if (is_nvidia(*device)) peaks.push_back(or_reason(device, Roof::matrix, matrix_peak));
    return peaks;
}

} // namespace bowhist
