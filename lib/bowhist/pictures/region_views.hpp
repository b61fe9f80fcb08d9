#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/image_region.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <filesystem>

namespace bowhist {

/// The views of a part, as of an image of its own: the file is decoded in full size, and the part
/// then cut out, shrunk or enlarged. There is no thumbnail.
/// @throws as decode_views; Error{Fault::input} for a part that is empty, or not within the image
ImageViews decode_region(ImageFile &file, const std::filesystem::path &path,
                         const ImageLimits &limits, const ViewRequest &request,
                         const ImageRegion &region);

/// The image as a mirror shows it: its left side is on the right.
Image mirrored(const Image &image);

} // namespace bowhist
