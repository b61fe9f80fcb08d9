#include <bowhist/ops/byte_rows.hpp>
#include <bowhist/ops/histogram256.hpp>
#include <bowhist/ops/ops_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

constexpr std::size_t bins = 256;
constexpr std::size_t group_size = 256;
constexpr std::size_t most_copies = 8; // 8 KiB: more would cost groups a compute unit

void in_global_memory(Device &device, const DeviceImages<std::uint8_t> &pictures,
                      const Buffer<std::uint32_t> &histograms) {
    Kernel kernel = device.kernel("histogram256_global.cl", "histogram256");
    const HistogramPicture size{as_uint(pictures.width), as_uint(pictures.height),
                                as_uint(pictures.pitch)};
    device.launch(kernel, {pictures.width * pictures.height, pictures.count}, {64, 1},
                  pictures.pixels, histograms, size);
}

std::size_t copies_that_fit(const Device &device) {
    const std::size_t room = device.limits().local_bytes / (bins * sizeof(cl_uint));
    if (room == 0)
        throw Error(Fault::device,
                    fmt::format("{}: a histogram takes 1 KiB of local memory, there are {} bytes; "
                                "count with global atomics",
                                device.info().name, device.limits().local_bytes));
    return std::bit_floor(std::min<std::size_t>(room, most_copies));
}

} // namespace

std::string_view name_of(HistogramMethod method) {
    constexpr std::array<std::string_view, 4> names = {"global_atomics", "local_atomics",
                                                       "local_copies", "serial"};
    return names[static_cast<std::size_t>(method)];
}

HistogramMethod histogram_method_for(const Device &device) {
    return device.info().kind == DeviceKind::cpu ? HistogramMethod::serial
                                                 : HistogramMethod::local_copies;
}

void histogram256(Device &device, const DeviceImages<std::uint8_t> &pictures,
                  const Buffer<std::uint32_t> &histograms, HistogramMethod method) {
    if (histograms.size < pictures.count * bins)
        throw Error(Fault::usage,
                    fmt::format("{} histograms of 256 counters do not fit {} counters; give room",
                                pictures.count, histograms.size));
    const bool serial = method == HistogramMethod::serial;
    const ByteRowsLaunch launch = byte_rows(device, pictures, pictures, serial ? 1 : group_size);
    device.fill<std::uint32_t>(histograms, 0, pictures.count * bins);
    if (pictures.empty()) return;
    if (method == HistogramMethod::global_atomics)
        return in_global_memory(device, pictures, histograms);
    const std::size_t copies =
        method == HistogramMethod::local_copies ? copies_that_fit(device) : 1;
    Kernel kernel = serial ? device.kernel("histogram256_serial.cl", "histogram256", launch.options)
                           : device.kernel("histogram256_local.cl", "histogram256",
                                           fmt::format("{} -DCOPIES={}", launch.options, copies));
    device.launch(kernel, launch.global, launch.group, pictures.pixels, histograms, launch.rows);
}

} // namespace bowhist
