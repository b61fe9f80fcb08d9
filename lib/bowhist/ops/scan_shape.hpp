#pragma once

#include <bowhist/device/device.hpp>

#include <string>

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

} // namespace bowhist
