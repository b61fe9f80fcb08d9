#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/ops/image_batch.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace bowhist {

/// How the recursion walks an image. docs/operations/gaussian.md draws each.
enum class GaussianWalk {
    rows_then_columns, ///< rgH, rgV: a work-item a row, then a work-item a column
    transposes,        ///< rgV, transpose, rgV, transpose: 14 floats of traffic a pixel
    transposed         ///< rgV that writes its result transposed, twice: 10 floats
};

/// A walk, and how many columns (or pixels of a row) a work-item reads at once.
struct GaussianShape {
    GaussianWalk walk;
    unsigned width;      ///< 1, 4 or 16
    std::string_view id; ///< "turned16": the walk, and the width where it is not 1
};

/// All shapes; each runs on every device.
const std::vector<GaussianShape> &gaussian_shapes();

/// The one that suits the device: transposed, in vectors of 16 on a CPU, through local memory else.
const GaussianShape &gaussian_shape_for(const Device &device);

/// Device memory that a blur needs on its way, kept from one to the next; grows on demand.
struct GaussianScratch {
    Buffer<float> kept;   ///< what the runs down leave for the runs up
    Buffer<float> middle; ///< the image, blurred one way
    Buffer<float> states; ///< where segments begin
};

struct GaussianOptions {
    std::optional<GaussianShape> shape = {}; ///< none: gaussian_shape_for the device
    std::size_t segment_rows = 0; ///< cut columns after as many pixels, a multiple of 32; 0: only
                                  ///< where the images have too few to fill the device
};

/// Blurs each image by a Gaussian of `sigma` pixels, as if its borders' pixels went on for ever
/// (OpenCV's BORDER_REPLICATE). The time does not depend on sigma. See gaussian_filter.hpp for the
/// filter; its answer differs from the true Gaussian's by less than 1e-3 of the image's range.
///
/// `out` has in's size and count and a pitch of its own. It may be `in`, which is read before `out`
/// is written, but nothing of the scratch.
/// Returns at once: the launches are in the device's queue, their labels begin with "blur",
/// "segment" and "transpose".
/// @throws Error{Fault::usage} when sigma is out of range or out's size is not in's
void gaussian_blur(Device &device, const DeviceImages<float> &in, double sigma,
                   const DeviceImages<float> &out, GaussianScratch &scratch,
                   const GaussianOptions &options = {});

} // namespace bowhist
