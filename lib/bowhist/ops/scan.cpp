#include <bowhist/ops/scan.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/ops_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

constexpr std::size_t largest_group = 256; // several of them hide each other's barriers
constexpr std::size_t most_loads = 4;      // sixteen elements a work-item in registers
constexpr std::size_t enough_items = 128;  // a group smaller than this takes several rows
constexpr std::size_t fewest_leaves = 64;  // fewer would be one more kernel to build for each width

/// Local memory of a work-group.
std::size_t local_bytes(const ScanShape &shape) {
    return shape.rows * TREE_ROOM(shape.leaves()) * 4;
}

} // namespace

std::string ScanShape::options() const {
    return fmt::format("-DGROUP={} -DLOADS={} -DLEAVES={} -DROWS={} -DPADDED={:d}", group, loads,
                       leaves(), rows, padded);
}

ScanShape scan_shape(const DeviceLimits &limits, std::size_t width, bool padded) {
    ScanShape shape;
    shape.padded = padded;
    const std::size_t items = std::bit_floor(std::max<std::size_t>(limits.work_group_size, 1));
    const std::size_t leaves =
        std::bit_ceil(std::max(divided_up(width, shape.leaf), fewest_leaves));
    shape.loads = most_loads;
    shape.group = std::min({leaves / shape.loads, largest_group, items});
    shape.rows = std::max<std::size_t>(std::min(enough_items, items) / shape.group, 1);
    while (local_bytes(shape) > limits.local_bytes && shape.rows > 1) shape.rows /= 2;
    while (local_bytes(shape) > limits.local_bytes && shape.group > 1) shape.group /= 2;
    return shape;
}

std::size_t chunk_of(const Device &device, std::size_t size, std::size_t tile) {
    constexpr std::size_t chunks_a_unit = 16;
    const std::size_t chunks =
        std::max<std::size_t>(device.info().compute_units, 1) * chunks_a_unit;
    return divided_up(size, chunks * tile) * tile;
}

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

/// Launches scan_rows (buffers: in, out, the carries, read where rows.carried says so) or sum_rows
/// (in, totals).
template <typename In, typename Out, typename... More>
void launch_rows(Device &device, const Scan &scan, const char *entry, const ScanRows &rows,
                 const Buffer<In> &in, const Buffer<Out> &out, const More &...carries) {
    const std::size_t group = scan.shape.work_items();
    const std::string options =
        fmt::format("-DINPUT={} -DTYPE={} -DIN_ALIGNED={:d} -DOUT_ALIGNED={:d} {}",
                    element_name<In>, element_name<Out>, rows.in_pitch % vector_length == 0,
                    rows.out_pitch % vector_length == 0, scan.options);
    launch(device, device.kernel(scan.file, entry, options),
           {divided_up(rows.rows, scan.shape.rows) * group, 1}, {group, 1}, in, out, carries...,
           rows);
}

/// Without totals and carries.
ScanRows rows_of(std::size_t rows, std::size_t width, std::size_t last_width, std::size_t in_pitch,
                 std::size_t out_pitch, ScanKind kind) {
    return {.rows = as_uint(rows),
            .width = as_uint(width),
            .last_width = as_uint(last_width),
            .extra = 0,
            .inclusive = kind == ScanKind::inclusive,
            .carried = 0,
            .in_pitch = as_uint(in_pitch),
            .out_pitch = as_uint(out_pitch)};
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
    ScanRows rows = rows_of(in.rows(), in.width, in.width, in.pitch, out.pitch, kind);
    rows.extra = totals;
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
    const std::size_t chunk = chunk_of(device, size, whole.shape.tile());
    const std::size_t number = divided_up(size, chunk);
    const std::size_t last = size - (number - 1) * chunk;
    ScanRows rows = rows_of(number, number == 1 ? last : chunk, last, chunk, chunk, kind);
    if (number == 1) return launch_rows(device, whole, "scan_rows", rows, in, out, out);
    const DeviceImages<T> sums = {device.scratch<T>(number), number, 1, number};
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
