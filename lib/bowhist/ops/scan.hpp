#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/ops/image_batch.hpp>

#include <array>
#include <string>
#include <string_view>

namespace bowhist {

/// How work-items share rows in cl/ops/scan_tree.cl and other kernels on the tree of
/// cl/ops/scan_group.cl.
struct ScanShape {
    std::size_t group = 1; ///< work-items along a row
    std::size_t loads = 1; ///< leaves of the tree a work-item; both powers of two
    std::size_t rows = 1;  ///< rows a work-group, each with a tree of its own
    std::size_t leaf = 4;  ///< elements a leaf
    bool padded = true;    ///< against bank conflicts

    std::size_t leaves() const { return group * loads; }
    std::size_t tile() const { return leaves() * leaf; } ///< elements of a row a step
    std::size_t work_items() const { return group * rows; }
    /// "-DGROUP=… -DLOADS=… -DLEAVES=… -DROWS=… -DPADDED=…"
    std::string options() const;
};

/// The shape for rows of `width` elements: a tile that covers the row where a work-group can (256
/// work-items, four leaves each), several rows a group where it would be small (fewer than 128).
/// Stays within the device's work-group size and local memory (trees of 4-byte values).
ScanShape scan_shape(const DeviceLimits &limits, std::size_t width, bool padded);

/// A vector of `size` is worked on in chunks of this many elements: whole tiles, and enough chunks
/// to keep every compute unit busy.
std::size_t chunk_of(const Device &device, std::size_t size, std::size_t tile);

// Prefix sums. Inclusive: out[i] = in[0] + … + in[i]. Exclusive: out[i] = in[0] + … + in[i - 1].
//
// Integers wrap as the type does. Floats are added along a path of at most n / 16 + 100 additions,
// whatever the method and the device, so each sum is within (n / 16 + 100) · 2⁻²⁴ · Σ|in| of the
// true one (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). On GPUs the path
// is far shorter: about 2 log2(n) + n / 4096.
//
// Every function returns at once: the launches are in the device's queue, labelled "scan_rows" and
// "sum_rows". `out` may be `in`.

enum class ScanKind { inclusive, exclusive };

enum class ScanMethod {
    tree,             ///< listing 8.2's tree, padded against bank conflicts: for GPUs
    tree_conflicting, ///< the same without padding, to see what the conflicts cost
    serial            ///< a work-item a row, sixteen elements a step: for CPUs
};
inline constexpr std::array scan_methods = {ScanMethod::tree, ScanMethod::tree_conflicting,
                                            ScanMethod::serial};
/// "tree", "tree_conflicting", "serial".
std::string_view name_of(ScanMethod method);
/// The method for this kind of device.
ScanMethod scan_method_for(const Device &device);

/// Scans every row of a matrix or of a batch of images: one launch, each element read once and
/// written once.
///
/// `out` has as many rows as `in` and the same width. It may be one wider when the scan is
/// exclusive: then each row ends with its total. Types: Out is int32, uint32 or float; In is the
/// same, or uint8 (with uint32).
/// @throws Error{Fault::usage} when the shapes do not fit
template <typename In, typename Out>
void scan_rows(Device &device, const DeviceImages<In> &in, const DeviceImages<Out> &out,
               ScanKind kind, ScanMethod method);

/// Scans the first `size` elements of a buffer as one vector: sums of chunks, their scan, then the
/// chunks with what came before each. Reads twice and writes once. Up to 2³¹ elements of int32,
/// uint32 or float. @throws Error{Fault::usage} when a buffer is too small, or size too large
template <typename T>
void scan(Device &device, const Buffer<T> &in, const Buffer<T> &out, std::size_t size,
          ScanKind kind, ScanMethod method);

} // namespace bowhist
