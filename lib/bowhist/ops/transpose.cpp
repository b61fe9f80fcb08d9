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

/// What one launch takes: a kernel, and groups that cover every image.
struct Plan {
    std::string file;
    std::string options; ///< -D
    Range groups;
    Range group;
};

/// Groups that cover every image by squares of `side` elements across and `down` down.
template <typename T>
Range groups_for(const DeviceImages<T> &in, std::size_t side, std::size_t down) {
    return {divided_up(in.width, side), divided_up(in.height, down) * in.count};
}

template <typename T>
Plan naive(const Device &device, const DeviceImages<T> &in) {
    const std::size_t side = device.limits().work_group_size < usual_group ? 1 : 16;
    return {"transpose_naive.cl",
            "",
            {divided_up(in.width, side), divided_up(in.rows(), side)},
            {side, side}};
}

template <typename T>
Plan tiles(const Device &device, const DeviceImages<T> &in, std::size_t pad) {
    const Tile tile = tile_within(
        device.limits(), 32, [&](std::size_t side) { return side * (side + pad) * sizeof(T); });
    return {"transpose_tiled.cl",
            fmt::format("-DTILE={} -DROWS={} -DPAD={}", tile.side, tile.rows, pad),
            groups_for(in, tile.side, tile.side),
            {tile.side, tile.rows}};
}

/// Tiles whose rows are 256 bytes of floats, 128 of bytes.
template <typename T>
Plan blocks(const Device &device, const DeviceImages<T> &in) {
    const std::size_t usual_side = std::is_same_v<T, float> ? 16 : 32;
    const Tile tile = tile_within(device.limits(), usual_side, [](std::size_t side) {
        return 4 * side * (side + 1) * 4 * sizeof(T);
    });
    return {"transpose_blocks.cl",
            fmt::format("-DBLOCKS={} -DROWS={}", tile.side, tile.rows),
            groups_for(in, 4 * tile.side, 4 * tile.side),
            {tile.side, tile.rows}};
}

template <typename T>
Plan vectors(const DeviceImages<T> &in) {
    constexpr std::size_t down = std::is_same_v<T, float> ? 1 : 4; // 64 bytes: a CPU's cache line
    return {"transpose_vectors.cl",
            fmt::format("-DDOWN={}", down),
            groups_for(in, 16, 16 * down),
            {1, 1}};
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
Plan plan_for(const Device &device, const DeviceImages<T> &in, TransposeMethod method) {
    switch (method) {
    case TransposeMethod::naive:
        return naive(device, in);
    case TransposeMethod::blocks:
        return blocks(device, in);
    case TransposeMethod::vectors:
        return vectors(in);
    default:
        return tiles(device, in, method == TransposeMethod::unpadded ? 0 : 1);
    }
}

template <typename T>
void transpose_by(Device &device, const DeviceImages<T> &in, const DeviceImages<T> &out,
                  TransposeMethod method) {
    check(in, out, method);
    if (in.empty()) return;
    if (method == TransposeMethod::automatic) method = chosen(device, in, out);
    const auto [file, options, groups, group] = plan_for(device, in, method);
    const TransposeLayout layout{.width = as_uint(in.width),
                                 .height = as_uint(in.height),
                                 .in_pitch = as_uint(in.pitch),
                                 .out_pitch = as_uint(out.pitch),
                                 .count = as_uint(in.count)};
    launch(
        device,
        device.kernel(file, "transpose", fmt::format("-DELEMENT={} {}", element_name<T>, options)),
        {groups[0] * group[0], groups[1] * group[1]}, group, in.pixels, out.pixels, layout);
}

} // namespace

const std::vector<TransposeChoice> &transpose_choices() {
    static const std::vector<TransposeChoice> choices = {
        {TransposeMethod::naive, "naive"},     {TransposeMethod::unpadded, "unpadded"},
        {TransposeMethod::tiled, "tiled"},     {TransposeMethod::blocks, "blocks"},
        {TransposeMethod::vectors, "vectors"},
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
