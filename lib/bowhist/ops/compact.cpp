#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/compact.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/scan.hpp>

#include <fmt/format.h>

#include <cctype>

namespace bowhist {
namespace {

std::string without_spaces(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    return text;
}

ScanShape shape_for(const Device &device, std::size_t size, ScanMethod method) {
    if (method == ScanMethod::serial) return {};
    ScanShape shape = scan_shape(device.limits(), size, method == ScanMethod::tree);
    shape.rows = 1;
    return shape;
}

template <typename T>
std::size_t compact_by(Device &device, const Buffer<T> &in, std::size_t size,
                       const Buffer<std::uint8_t> &flags, const std::string &predicate,
                       const Buffer<T> &out, ScanMethod method) {
    constexpr std::size_t most = std::size_t{1} << 31;
    if (size > in.size || size > most)
        throw Error(Fault::usage, fmt::format("{} elements to compact: there are {}, and 2^31 is "
                                              "the most; compact them in parts",
                                              size, in.size));
    if (size == 0) return 0;
    if (same_memory(in, out))
        throw Error(Fault::usage, "elements cannot be replaced while they are read; give the "
                                  "result another buffer");
    const ScanShape shape = shape_for(device, size, method);
    const std::string file = method == ScanMethod::serial ? "compact_serial.cl" : "compact_tree.cl";
    const std::string options =
        fmt::format("-DELEMENT={} -DPREDICATE={} -DTYPE=uint {}", element_name<T>,
                    without_spaces(predicate), shape.options());
    const std::size_t chunk = chunk_of(device, size, shape.tile());
    const std::size_t number = divided_up(size, chunk);
    const Chunks chunks{as_uint(size), as_uint(chunk)};
    const Range global = {number * shape.group, 1};
    const Range group = {shape.group, 1};

    const auto counts = allocate_images<std::uint32_t>(device, number, 1);
    launch(device, device.kernel(file, "count_kept", options), global, group, in, flags,
           counts.pixels, chunks);
    const auto places = allocate_images<std::uint32_t>(device, number + 1, 1);
    scan_rows(device, counts, places, ScanKind::exclusive, method);
    const std::uint32_t kept = downloaded(device, places.pixels).back();
    if (kept > out.size)
        throw Error(Fault::usage,
                    fmt::format("{} elements are kept, {} have room; give more", kept, out.size));
    launch(device, device.kernel(file, "write_kept", options), global, group, in, flags, out,
           places.pixels, chunks);
    return kept;
}

} // namespace

template <typename T>
std::size_t compact(Device &device, const Buffer<T> &in, std::size_t size,
                    const std::string &predicate, const Buffer<T> &out, ScanMethod method) {
    return compact_by(device, in, size, device.allocate<std::uint8_t>(1), predicate, out, method);
}

template <typename T>
std::size_t compact(Device &device, const Buffer<T> &in, std::size_t size,
                    const Buffer<std::uint8_t> &flags, const Buffer<T> &out, ScanMethod method) {
    if (size > flags.size)
        throw Error(Fault::usage, fmt::format("{} elements to compact have {} flags; give each one",
                                              size, flags.size));
    return compact_by(device, in, size, flags, "flags[index]!=0", out, method);
}

#define BOWHIST_COMPACT(T)                                                                         \
    template std::size_t compact(Device &, const Buffer<T> &, std::size_t, const std::string &,    \
                                 const Buffer<T> &, ScanMethod);                                   \
    template std::size_t compact(Device &, const Buffer<T> &, std::size_t,                         \
                                 const Buffer<std::uint8_t> &, const Buffer<T> &, ScanMethod)
BOWHIST_COMPACT(std::int32_t);
BOWHIST_COMPACT(std::uint32_t);
BOWHIST_COMPACT(float);
#undef BOWHIST_COMPACT

} // namespace bowhist
