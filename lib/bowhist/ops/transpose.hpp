#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/ops/image_batch.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace bowhist {

/// Ways to transpose, each a file of cl/. All take any size; docs/operations/transpose.md compares
/// them.
enum class TransposeMethod {
    automatic, ///< vectors on a CPU; else blocks where the pitches allow them, else tiled
    naive,     ///< one work-item an element; writes are strided
    unpadded,  ///< tiles of 32×32 through local memory; its columns conflict in one bank
    tiled,     ///< the same with padded rows: reads and writes are contiguous, without conflicts
    blocks,    ///< tiles of 4×4 blocks, four elements an access; pitches are multiples of four
    vectors    ///< 16×16 blocks in a work-item's vector registers: a shape for CPUs
};

/// A method as tables and benchmarks show it.
struct TransposeChoice {
    TransposeMethod method;
    std::string_view id; ///< "tiled"
};

/// All methods but automatic, in the order in which they improve on one another.
const std::vector<TransposeChoice> &transpose_choices();

/// Transposes each image: pixel (x, y) of `in` becomes pixel (y, x) of `out`, which has in.height
/// as its width, in.width as its height, the same count, and a pitch of its own; not in place.
/// Groups and tiles shrink to what the device's limits allow.
///
/// Returns at once: the launch is in the device's queue, under the label "transpose".
/// @throws Error{Fault::usage} when out's size does not fit, when it lies in in's buffer, or when
///         blocks meet an odd pitch
void transpose(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
               TransposeMethod method = TransposeMethod::automatic);
void transpose(Device &device, const DeviceImages<std::uint8_t> &in,
               const DeviceImages<std::uint8_t> &out,
               TransposeMethod method = TransposeMethod::automatic);

/// A pitch for rows of `width` elements that are read down columns: whole lines of 128 bytes, and
/// an odd number of them, since rows a power of two apart fall on the same few memory channels and
/// cache sets.
constexpr std::size_t channel_free_pitch(std::size_t width, std::size_t element_bytes) {
    const std::size_t line = 128 / element_bytes;
    return ((width + line - 1) / line | 1) * line;
}

} // namespace bowhist
