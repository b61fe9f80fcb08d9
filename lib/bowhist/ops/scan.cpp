#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/scan.hpp>
#include <bowhist/ops/scan_shape.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// A kernel of cl/ops/scan_*.cl and how it is launched.
struct Scan {
    std::string file;
    std::string options;
    ScanShape shape;
};

/// The elements of a vector that floats and ints are read and written in at once.
constexpr std::size_t vector_length = 4;
constexpr std::size_t longest = std::size_t{1} << 31;

Scan scan_for(const Device &device, std::size_t width, ScanMethod method) {
    if (method == ScanMethod::serial) return {"scan_serial.cl", "", {.loads = 4}};
    const ScanShape shape = scan_shape(device.limits(), width, method == ScanMethod::tree);
    return {"scan_tree.cl", shape.options(), shape};
}

template <typename In, typename Out>
Kernel build(Device &device, const Scan &scan, const char *entry, const ScanRows &rows) {
    return device.kernel(scan.file, entry,
                         fmt::format("-DINPUT={} -DTYPE={} -DIN_ALIGNED={:d} -DOUT_ALIGNED={:d} {}",
                                     element_name<In>, element_name<Out>,
                                     rows.in_pitch % vector_length == 0,
                                     rows.out_pitch % vector_length == 0, scan.options));
}

/// Launches scan_rows (buffers: in, out, the carries, read where rows.carried says so) or sum_rows
/// (in, totals).
template <typename In, typename Out, typename... More>
void launch_rows(Device &device, const Scan &scan, const char *entry, const ScanRows &rows,
                 const Buffer<In> &in, const Buffer<Out> &out, const More &...carries) {
    const std::size_t group = scan.shape.work_items();
    launch(device, build<In, Out>(device, scan, entry, rows),
           {divided_up(rows.rows, scan.shape.rows) * group, 1}, {group, 1}, in, out, carries...,
           rows);
}

/// A vector cut into rows.
ScanRows chunks(const Device &device, const Scan &scan, std::size_t size) {
    const std::size_t width = chunk_of(device, size, scan.shape.tile());
    const std::size_t rows = divided_up(size, width);
    const auto last = as_uint(size - (rows - 1) * width);
    const auto pitch = as_uint(width);
    return {.rows = as_uint(rows),
            .width = rows == 1 ? last : pitch,
            .last_width = last,
            .extra = 0,
            .inclusive = 0,
            .carried = 0,
            .in_pitch = pitch,
            .out_pitch = pitch};
}

} // namespace

std::string_view name_of(ScanMethod method) {
    constexpr std::array<std::string_view, 3> names = {"tree", "tree_conflicting", "serial"};
    return names[static_cast<std::size_t>(method)];
}

ScanMethod scan_method_for(const Device &device) {
    return device.info().kind == DeviceKind::cpu ? ScanMethod::serial : ScanMethod::tree;
}

template <typename In, typename Out>
void scan_rows(Device &device, const DeviceImages<In> &in, const DeviceImages<Out> &out,
               ScanKind kind, ScanMethod method) {
    const bool totals = out.width == in.width + 1 && kind == ScanKind::exclusive;
    if (out.rows() != in.rows() || (out.width != in.width && !totals))
        throw Error(Fault::usage, "the rows to scan and their sums differ in shape; give sums of "
                                  "the same size, or an exclusive scan one column more");
    if (in.pitch >= longest || out.pitch >= longest || in.rows() >= longest)
        throw Error(Fault::usage, "rows to scan are longer or more than 2^31; scan them in parts");
    if (out.empty()) return;
    const auto width = as_uint(in.width);
    const ScanRows rows{.rows = as_uint(in.rows()),
                        .width = width,
                        .last_width = width,
                        .extra = totals,
                        .inclusive = kind == ScanKind::inclusive,
                        .carried = 0,
                        .in_pitch = as_uint(in.pitch),
                        .out_pitch = as_uint(out.pitch)};
    launch_rows(device, scan_for(device, out.width, method), "scan_rows", rows, in.pixels,
                out.pixels, out.pixels);
}

template <typename T>
void scan(Device &device, const Buffer<T> &in, const Buffer<T> &out, std::size_t size,
          ScanKind kind, ScanMethod method) {
    if (size > longest || size > in.size || size > out.size)
        throw Error(Fault::usage,
                    fmt::format("a scan of {} elements does not fit buffers of {} and {}, or is "
                                "longer than 2^31; scan it in parts",
                                size, in.size, out.size));
    if (size == 0) return;
    const Scan whole = scan_for(device, size, method);
    ScanRows rows = chunks(device, whole, size);
    rows.inclusive = kind == ScanKind::inclusive;
    if (rows.rows == 1) return launch_rows(device, whole, "scan_rows", rows, in, out, out);
    const DeviceImages<T> sums = {device.scratch<T>(rows.rows), rows.rows, 1, rows.rows};
    launch_rows(device, whole, "sum_rows", rows, in, sums.pixels);
    scan_rows(device, sums, sums, ScanKind::exclusive, method);
    rows.carried = 1;
    launch_rows(device, whole, "scan_rows", rows, in, out, sums.pixels);
}

template void scan_rows(Device &, const DeviceImages<std::uint8_t> &,
                        const DeviceImages<std::uint32_t> &, ScanKind, ScanMethod);
template void scan_rows(Device &, const DeviceImages<std::int32_t> &,
                        const DeviceImages<std::int32_t> &, ScanKind, ScanMethod);
template void scan_rows(Device &, const DeviceImages<std::uint32_t> &,
                        const DeviceImages<std::uint32_t> &, ScanKind, ScanMethod);
template void scan_rows(Device &, const DeviceImages<float> &, const DeviceImages<float> &,
                        ScanKind, ScanMethod);
template void scan(Device &, const Buffer<std::int32_t> &, const Buffer<std::int32_t> &,
                   std::size_t, ScanKind, ScanMethod);
template void scan(Device &, const Buffer<std::uint32_t> &, const Buffer<std::uint32_t> &,
                   std::size_t, ScanKind, ScanMethod);
template void scan(Device &, const Buffer<float> &, const Buffer<float> &, std::size_t, ScanKind,
                   ScanMethod);

} // namespace bowhist
