#pragma once

#include <bowhist/ops/histogram256.hpp>

namespace bowhist {

/// Histogram equalization: grey values spread so that each share of the range is equally frequent.
/// Bit for bit OpenCV's equalizeHist, for each image on its own; an image of one level stays.
///
/// `out` has the shape of `in` and may be `in`. `method` counts; groups of the look-up follow it.
/// Everything happens on the device; returns at once, the launches ("histogram256", "scan_rows",
/// "make_tables", "look_up") are in its queue.
/// @throws Error{Fault::usage} when the shapes differ or an image has 2³¹ bytes or more
void equalize(Device &device, const DeviceImages<std::uint8_t> &in,
              const DeviceImages<std::uint8_t> &out, HistogramMethod method);

} // namespace bowhist
