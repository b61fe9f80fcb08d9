#include <bowhist/core/error.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/ops_launch.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>

#include <algorithm>

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

/// One launch: a kernel, and groups that cover rectangles of an image.
struct Plan {
    std::string file;
    std::string options; ///< -D
    Tile group;
    std::size_t across; ///< elements that a group covers
    std::size_t down;
};

/// @param element  bytes: of a float or a byte
Plan plan_for(const DeviceLimits &limits, TransposeMethod method, std::size_t element) {
    switch (method) {
    case TransposeMethod::naive: {
        const std::size_t side = limits.work_group_size < usual_group ? 1 : 16;
        return {"transpose_naive.cl", "", Tile{side, side}, side, side};
    }
    case TransposeMethod::blocks: { // rows of a tile are 256 bytes of floats, 128 of bytes
        const Tile tile = tile_within(limits, element == 1 ? 32 : 16, [&](std::size_t side) {
            return 4 * side * (side + 1) * 4 * element;
        });
        return {"transpose_blocks.cl", fmt::format("-DBLOCKS={} -DROWS={}", tile.side, tile.rows),
                tile, 4 * tile.side, 4 * tile.side};
    }
    case TransposeMethod::vectors: {
        const std::size_t down = element == 1 ? 4 : 1; // 64 bytes: a CPU's cache line
        return {"transpose_vectors.cl", fmt::format("-DDOWN={}", down), Tile{1, 1}, 16, 16 * down};
    }
    default: {
        const std::size_t pad = method == TransposeMethod::unpadded ? 0 : 1;
        const Tile tile = tile_within(
            limits, 32, [&](std::size_t side) { return side * (side + pad) * element; });
        return {"transpose_tiled.cl",
                fmt::format("-DTILE={} -DROWS={} -DPAD={}", tile.side, tile.rows, pad), tile,
                tile.side, tile.side};
    }
    }
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
    if (method == TransposeMethod::automatic) method = chosen(device, in, out);
    const auto [file, options, group, across, down] = plan_for(device.limits(), method, sizeof(T));
    const std::size_t groups_down = method == TransposeMethod::naive
                                        ? divided_up(in.rows(), down)
                                        : divided_up(in.height, down) * in.count;
    const TransposeLayout layout{.width = as_uint(in.width),
                                 .height = as_uint(in.height),
                                 .in_pitch = as_uint(in.pitch),
                                 .out_pitch = as_uint(out.pitch),
                                 .count = as_uint(in.count)};
    launch(
        device,
        device.kernel(file, "transpose", fmt::format("-DELEMENT={} {}", element_name<T>, options)),
        {divided_up(in.width, across) * group.side, groups_down * group.rows},
        {group.side, group.rows}, in.pixels, out.pixels, layout);
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
