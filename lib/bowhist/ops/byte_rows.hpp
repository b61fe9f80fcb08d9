#pragma once

#include <bowhist/ops/image_batch.hpp>
#include <bowhist/ops/ops_launch.hpp>

#include <cstdint>
#include <string>

namespace bowhist {

/// How a kernel over 8-bit images is built and launched.
struct ByteRowsLaunch {
    ByteRows rows;
    std::string options; ///< "-DALIGNED=… -DGROUP=…"
    Range global = {};
    Range group = {};
};

/// From images to images of the same shape (for a histogram: give the same twice), in groups of
/// `group_size` work-items, or what the device allows; groups of one, for CPUs, take longer runs.
/// Images without padding are walked as one long row each.
/// @throws Error{Fault::usage} when the shapes differ or an image has 2³¹ bytes or more
ByteRowsLaunch byte_rows(const Device &device, const DeviceImages<std::uint8_t> &in,
                         const DeviceImages<std::uint8_t> &out, std::size_t group_size);

} // namespace bowhist
