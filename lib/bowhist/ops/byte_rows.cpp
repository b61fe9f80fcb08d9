#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/byte_rows.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t vector_bytes = 16;

void check(const DeviceImages<std::uint8_t> &in, const DeviceImages<std::uint8_t> &out) {
    if (in.width != out.width || in.height != out.height || in.count != out.count)
        throw Error(Fault::usage, "pictures in and out differ in shape; give room for as many "
                                  "pictures of the same size");
    constexpr std::size_t most_bytes = std::size_t{1} << 31;
    if (std::max(in.pitch, out.pitch) * in.height >= most_bytes)
        throw Error(Fault::usage, "a picture of 2^31 bytes or more; cut it into parts");
}

} // namespace

ByteRowsLaunch byte_rows(const Device &device, const DeviceImages<std::uint8_t> &in,
                         const DeviceImages<std::uint8_t> &out, std::size_t group_size) {
    check(in, out);
    std::size_t width = in.width;
    std::size_t height = in.height;
    std::size_t in_pitch = in.pitch;
    std::size_t out_pitch = out.pitch;
    if (in_pitch == width && out_pitch == width) {
        width = in_pitch = out_pitch = width * height;
        height = 1;
    }
    const bool many_rows = in.count * height > 1;
    const bool aligned =
        !many_rows || (in_pitch % vector_bytes == 0 && out_pitch % vector_bytes == 0);

    const std::size_t group = std::min(group_size, device.limits().work_group_size);
    const bool serial = group_size == 1;
    const std::size_t vectors = divided_up(width, vector_bytes);
    const std::size_t groups_wanted = divided_up(device.info().compute_units * (serial ? 4 : 16),
                                                 std::max<std::size_t>(in.count, 1));
    // A group's fixed work (256 counters, a table) must be little beside its pixels.
    const std::size_t shortest_run = serial ? 4096 : 4 * group;
    const std::size_t run = std::max(divided_up(vectors * height, groups_wanted), shortest_run);
    return {{.width = as_uint(width),
             .vectors = as_uint(vectors),
             .height = as_uint(height),
             .in_pitch = as_uint(in_pitch),
             .out_pitch = as_uint(out_pitch),
             .run = as_uint(run)},
            fmt::format("-DALIGNED={:d} -DGROUP={}", aligned, group),
            {divided_up(vectors * height, run) * group, in.count},
            {group, 1}};
}

} // namespace bowhist
