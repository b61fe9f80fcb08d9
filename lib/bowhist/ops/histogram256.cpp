#include <bowhist/ops/byte_rows.hpp>
#include <bowhist/ops/histogram256.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

constexpr std::size_t bins = 256;
constexpr std::size_t group_size = 256;
constexpr std::size_t most_copies = 8; // 8 KiB: more would cost groups a compute unit

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

void histogram256(Device &device, const DeviceImages<std::uint8_t> &images,
                  const Buffer<std::uint32_t> &histograms, HistogramMethod method) {
    if (histograms.size < images.count * bins)
        throw Error(Fault::usage,
                    fmt::format("{} histograms of 256 counters do not fit {} counters; give room",
                                images.count, histograms.size));
    const bool serial = method == HistogramMethod::serial;
    const ByteRowsLaunch walk = byte_rows(device, images, images, serial ? 1 : group_size);
    device.fill<std::uint32_t>(histograms, 0, images.count * bins);
    if (images.empty()) return;
    if (method == HistogramMethod::global_atomics)
        return launch(
            device, device.kernel("histogram256_global.cl", "histogram256"),
            {images.width * images.height, images.count}, {64, 1}, images.pixels, histograms,
            HistogramImage{as_uint(images.width), as_uint(images.height), as_uint(images.pitch)});
    const std::size_t copies =
        method == HistogramMethod::local_copies ? copies_that_fit(device) : 1;
    launch(device,
           serial ? device.kernel("histogram256_serial.cl", "histogram256", walk.options)
                  : device.kernel("histogram256_local.cl", "histogram256",
                                  fmt::format("{} -DCOPIES={}", walk.options, copies)),
           walk.global, walk.group, images.pixels, histograms, walk.rows);
}

} // namespace bowhist
