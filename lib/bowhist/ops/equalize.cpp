#include <bowhist/ops/byte_rows.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/scan.hpp>

namespace bowhist {

void equalize(Device &device, const DeviceImages<std::uint8_t> &in,
              const DeviceImages<std::uint8_t> &out, HistogramMethod method) {
    const bool serial = method == HistogramMethod::serial;
    constexpr std::size_t group_size = 256;
    const ByteRowsLaunch walk = byte_rows(device, in, out, serial ? 1 : group_size);
    if (in.empty()) return;

    // A histogram is a row of 256 counters; scanned in place it is the cumulative one.
    const auto cumulative = allocate_images<std::uint32_t>(device, 256, 1, in.count);
    histogram256(device, in, cumulative.pixels, method);
    scan_rows(device, cumulative, cumulative, ScanKind::inclusive,
              serial ? ScanMethod::serial : ScanMethod::tree);

    const auto tables = device.allocate<std::uint8_t>(256 * in.count);
    launch(device, device.kernel("equalize.cl", "make_tables", walk.options), {256 * in.count, 1},
           {64, 1}, cumulative.pixels, tables, as_uint(in.count));
    launch(device, device.kernel("equalize.cl", "look_up", walk.options), walk.global, walk.group,
           in.pixels, out.pixels, tables, walk.rows);
}

} // namespace bowhist
