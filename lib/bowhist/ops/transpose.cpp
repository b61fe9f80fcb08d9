#include <bowhist/core/error.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace bowhist {
namespace {

constexpr std::size_t usual_group = 256; // work-items: many a group's worth on every compute unit

/// A square of `side` × `side`, transposed by a group of `side` × `rows` work-items.
struct Tile {
    std::size_t side;
    std::size_t rows;
};

/// The largest tile, from `side` down, that a group may have; bytes(side) is its local memory.
template <typename Bytes>
Tile tile_within(const DeviceLimits &limits, std::size_t side, Bytes bytes) {
    const std::size_t items = std::min(usual_group, limits.work_group_size);
    while (side > 1 && (side > items || bytes(side) > limits.local_bytes)) side /= 2;
    return {side, std::min(side, items / side)};
}

template <typename T>
Kernel compiled(Device &device, const std::string &file, const std::string &options = {}) {
    const char *element = std::is_same_v<T, float> ? "-DELEMENT=float" : "-DELEMENT=uchar";
    return device.kernel(file, "transpose", fmt::format("{} {}", element, options));
}

template <typename T>
void launch(Device &device, Kernel kernel, const DeviceImages<T> &in, const DeviceImages<T> &out,
            Range groups, Range group) {
    const TransposeLayout layout{.width = as_uint(in.width),
                                 .height = as_uint(in.height),
                                 .in_pitch = as_uint(in.pitch),
                                 .out_pitch = as_uint(out.pitch),
                                 .count = as_uint(in.count)};
    device.launch(kernel, {groups[0] * group[0], groups[1] * group[1]}, group, in.pixels,
                  out.pixels, layout);
}

/// Groups that cover every image by squares of `side` elements across and `down` down.
template <typename T>
Range groups_for(const DeviceImages<T> &in, std::size_t side, std::size_t down) {
    return {divided_up(in.width, side), divided_up(in.height, down) * in.count};
}

template <typename T>
void transpose_naively(Device &device, const DeviceImages<T> &in, const DeviceImages<T> &out) {
    const std::size_t side = device.limits().work_group_size < usual_group ? 1 : 16;
    launch(device, compiled<T>(device, "transpose_naive.cl"), in, out,
           {divided_up(in.width, side), divided_up(in.rows(), side)}, {side, side});
}

template <typename T>
void transpose_tiles(Device &device, const DeviceImages<T> &in, const DeviceImages<T> &out,
                     std::size_t pad) {
    const Tile tile = tile_within(
        device.limits(), 32, [&](std::size_t side) { return side * (side + pad) * sizeof(T); });
    launch(device,
           compiled<T>(device, "transpose_tiled.cl",
                       fmt::format("-DTILE={} -DROWS={} -DPAD={}", tile.side, tile.rows, pad)),
           in, out, groups_for(in, tile.side, tile.side), {tile.side, tile.rows});
}

/// Tiles whose rows are 256 bytes of floats, 128 of bytes.
template <typename T>
void transpose_blocks(Device &device, const DeviceImages<T> &in, const DeviceImages<T> &out) {
    const std::size_t usual_side = std::is_same_v<T, float> ? 16 : 32;
    const Tile tile = tile_within(device.limits(), usual_side, [](std::size_t side) {
        return 4 * side * (side + 1) * 4 * sizeof(T);
    });
    launch(device,
           compiled<T>(device, "transpose_blocks.cl",
                       fmt::format("-DBLOCKS={} -DROWS={}", tile.side, tile.rows)),
           in, out, groups_for(in, 4 * tile.side, 4 * tile.side), {tile.side, tile.rows});
}

template <typename T>
void transpose_vectors(Device &device, const DeviceImages<T> &in, const DeviceImages<T> &out) {
    constexpr std::size_t down = std::is_same_v<T, float> ? 1 : 4; // 64 bytes: a CPU's cache line
    launch(device, compiled<T>(device, "transpose_vectors.cl", fmt::format("-DDOWN={}", down)), in,
           out, groups_for(in, 16, 16 * down), {1, 1});
}

template <typename T>
bool has_whole_blocks(const DeviceImages<T> &in, const DeviceImages<T> &out) {
    return in.pitch % 4 == 0 && out.pitch % 4 == 0;
}

template <typename T>
TransposeMethod chosen(const Device &device, const DeviceImages<T> &in,
                       const DeviceImages<T> &out) {
    if (device.info().kind == DeviceKind::cpu) return TransposeMethod::vectors;
    return has_whole_blocks(in, out) ? TransposeMethod::blocks : TransposeMethod::tiled;
}

template <typename T>
void check(const DeviceImages<T> &in, const DeviceImages<T> &out, TransposeMethod method) {
    if (out.width != in.height || out.height != in.width || out.count != in.count)
        throw Error(
            Fault::usage,
            fmt::format("{} pictures of {}×{} cannot be transposed into {} of {}×{}; give the "
                        "result the height as its width, and the width as its height",
                        in.count, in.width, in.height, out.count, out.width, out.height));
    check_apart(in, out);
    if (method == TransposeMethod::blocks && !has_whole_blocks(in, out))
        throw Error(Fault::usage,
                    fmt::format("blocks of four cannot transpose rows at pitches of {} "
                                "and {} elements; make both multiples of four",
                                in.pitch, out.pitch));
}

template <typename T>
void transpose_by(Device &device, const DeviceImages<T> &in, const DeviceImages<T> &out,
                  TransposeMethod method) {
    check(in, out, method);
    if (in.empty()) return;
    switch (method == TransposeMethod::automatic ? chosen(device, in, out) : method) {
    case TransposeMethod::naive:
        return transpose_naively(device, in, out);
    case TransposeMethod::unpadded:
        return transpose_tiles(device, in, out, 0);
    case TransposeMethod::blocks:
        return transpose_blocks(device, in, out);
    case TransposeMethod::vectors:
        return transpose_vectors(device, in, out);
    case TransposeMethod::tiled:
    case TransposeMethod::automatic:
        return transpose_tiles(device, in, out, 1);
    }
}

} // namespace

const std::vector<TransposeChoice> &transpose_choices() {
    static const std::vector<TransposeChoice> choices = {
        {TransposeMethod::naive, "naive", "a work-item an element, strided writes"},
        {TransposeMethod::unpadded, "unpadded", "32×32 tiles in local memory, with bank conflicts"},
        {TransposeMethod::tiled, "tiled", "32×32 tiles in padded local memory"},
        {TransposeMethod::blocks, "blocks",
         "4×4 blocks in registers, tiles of them in local "
         "memory"},
        {TransposeMethod::vectors, "vectors", "16×16 blocks in a work-item's vector registers"},
    };
    return choices;
}

void transpose(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
               TransposeMethod method) {
    transpose_by(device, in, out, method);
}

void transpose(Device &device, const DeviceImages<std::uint8_t> &in,
               const DeviceImages<std::uint8_t> &out, TransposeMethod method) {
    transpose_by(device, in, out, method);
}

} // namespace bowhist
