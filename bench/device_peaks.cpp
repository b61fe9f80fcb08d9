#include "bench/peaks.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t chains = 12;
constexpr std::size_t warp = 32;
constexpr std::size_t tiles = 16;
constexpr double tile_operations = 2.0 * 16 * 8 * 16;
constexpr cl_uint matrix_steps = 1U << 13; // some ten milliseconds
constexpr cl_uint operand = 0x30003000;    // 1/8 twice, in fp16

bool is_gpu(const Device &device) {
    return device.info().kind == DeviceKind::gpu;
}

std::size_t large_group(const Device &device) {
    return std::min<std::size_t>(256, device.limits().work_group_size);
}

std::string vector_option(std::size_t lanes) {
    return lanes == 1 ? "-DVECTOR=float" : fmt::format("-DVECTOR=float{}", lanes);
}

/// A peak whose rounds are one launch each, with these arguments.
template <typename... Arguments>
Case peak_case(const std::shared_ptr<Device> &device, Roof roof, const Kernel &kernel,
               std::size_t items, std::size_t group, const Work &work,
               const Arguments &...arguments) {
    const auto launch = [=] {
        Kernel own = kernel;
        device->launch(own, {items, 1}, {group, 1}, arguments...);
    };
    return {.subject = {"peak", name_of(roof), Place::device, device->info().name},
            .work = work,
            .run = [=] { return time_launches(*device, launch); }};
}

/// Many small work-items on a GPU, few wide ones on a CPU; a round takes some ten milliseconds.
Case fma_peak(const std::shared_ptr<Device> &device) {
    const bool gpu = is_gpu(*device);
    const std::size_t units = std::max<std::size_t>(1, device->info().compute_units);
    const std::size_t group = gpu ? large_group(*device) : 1;
    const std::size_t items = gpu ? units * group * 32 : units * 16;
    const std::size_t lanes =
        gpu ? 1 : std::max<std::size_t>(1, device->info().preferred_float_vector);
    const cl_uint steps = 1U << (gpu ? 14 : 17); // of a work-item
    const Kernel kernel = device->kernel(
        "peak_fma.cl", "peak_fma", fmt::format("{} -DCHAINS={}", vector_option(lanes), chains));
    const std::size_t floats = items * lanes;
    Work work;
    work.operations = 2.0 * static_cast<double>(floats * chains) * steps;
    return peak_case(device, Roof::fma, kernel, items, group, work, steps, 0.75F, 0.25F,
                     device->allocate<float>(floats));
}

Case copy_peak(const std::shared_ptr<Device> &device) {
    constexpr std::size_t lanes = 4;
    const std::size_t wanted = std::size_t{is_gpu(*device) ? 256U : 64U} << 20;
    const std::size_t bytes =
        std::min<std::size_t>(wanted, device->limits().allocation_bytes / 4) / 4096 * 4096;
    const std::size_t floats = bytes / sizeof(float);
    const Kernel kernel = device->kernel("peak_copy.cl", "peak_copy", vector_option(lanes));
    const auto from = device->allocate<float>(floats);
    device->fill(from, 1.0F, floats);
    Work work;
    work.bytes_read = work.bytes_written = static_cast<double>(bytes);
    Case peak =
        peak_case(device, Roof::copy, kernel, floats / lanes, large_group(*device), work, from,
                  device->allocate<float>(floats), static_cast<cl_uint>(floats / lanes));
    peak.cache_bytes = device->info().cache;
    return peak;
}

Case matrix_peak(const std::shared_ptr<Device> &device) {
    const std::size_t group = 8 * warp;
    const std::size_t items = device->info().compute_units * group * 8;
    const Kernel kernel =
        device->kernel("peak_matrix.cl", "peak_matrix", fmt::format("-DTILES={}", tiles));
    Work work;
    work.operations = static_cast<double>(items / warp * tiles) * tile_operations * matrix_steps;
    return peak_case(device, Roof::matrix, kernel, items, group, work, matrix_steps, operand,
                     device->allocate<float>(items));
}

bool is_nvidia(const Device &device) {
    return device.info().vendor.find("NVIDIA") != std::string::npos && is_gpu(device);
}

/// The peak, or the reason why it is missing: the compiler may refuse the kernel.
Case or_reason(const std::shared_ptr<Device> &device, Roof roof,
               Case (*make)(const std::shared_ptr<Device> &)) {
    try {
        return make(device);
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        return not_here({"peak", name_of(roof), Place::device, device->info().name}, error.what());
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
