#pragma once

#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

#include <functional>
#include <string>

namespace bowhist {

/// The image of a file in memory, upright, at most limits.max_side a side; waits for its turn.
/// Every failure of a decoder ends as an Error that names the path.
/// @param remarks  filled where given
/// @throws as read_image, but for what read_image_file() finds
Raster decode_raster(ImageFile &file, const std::filesystem::path &path, const ImageLimits &limits,
                     Color color, ImageRemarks *remarks);

/// A small image at max_side, where the limits enlarge.
Raster enlarged(Raster image, const ImageLimits &limits);

/// Whether an image is decoded in a process of its own by these limits.
bool is_decoded_elsewhere(const ImageHeader &header, const ImageLimits &limits);

/// Runs `decode` of a file's image when its turn has come; the failures as above.
void decode_in_turn(const ImageFile &file, const std::filesystem::path &path,
                    const ImageLimits &limits, const std::function<void()> &decode);

/// @throws Error{Fault::input} for a damaged JPEG, unless the limits keep it
void require_sound(const std::string &damage, const ImageFile &file, const ImageLimits &limits);

} // namespace bowhist
