#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// A grey image of a file: as ImageLimits say it.
struct GreyView {
    int max_side = 0;
    bool enlarge = false;
};

/// The views that are wanted of an image, which is decoded once.
struct ViewRequest {
    std::vector<GreyView> greys;
    int thumbnail_side = 0; ///< pixels; 0: no thumbnail
};

/// An image in several sizes.
struct ImageViews {
    std::vector<Image> grey; ///< of each view: what read_image() makes of the file with it
    std::string thumbnail;   ///< a JPEG in color, at most thumbnail_side pixels a side
    int width = 0;           ///< pixels of the original, upright
    int height = 0;
    ImageTraits traits = {}; ///< what the file says beside the pixels
    std::string damage = {}; ///< what is wrong with a JPEG that the limits keep; else empty
};

/// Decodes a file in memory. A JPEG is decoded once for all views whose sizes libjpeg reaches by
/// the same reduction; of another kind all grey views are made of one decoding, and the thumbnail
/// of another, unless its orientation turns it, or it has more than 2^24 pixels.
/// @param path  for messages
/// @throws as read_image
ImageViews decode_views(ImageFile &file, const std::filesystem::path &path,
                        const ImageLimits &limits, const ViewRequest &request);

/// The views of a part, as of an image of its own: the file is decoded in full size, and the part
/// then cut out, shrunk or enlarged. There is no thumbnail.
/// @throws as decode_views; Error{Fault::input} for a part that is empty, or not within the image
ImageViews decode_region(ImageFile &file, const std::filesystem::path &path,
                         const ImageLimits &limits, const ViewRequest &request,
                         const ImageRegion &region);

/// The image as a mirror shows it: its left side is on the right.
Image mirrored(const Image &image);

} // namespace bowhist
