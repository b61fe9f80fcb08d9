#pragma once

#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/raster.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace bowhist {

/// Whether an image can be written under such a name: by its ending, in any case.
bool is_writable_image(const std::filesystem::path &path, Color color = Color::grey);

/// ".png, .jpg, …": what is_writable_image takes.
std::string writable_image_endings(Color color = Color::grey);

/// Writes a grey image, its format by the path's ending; whole or not at all.
/// @throws Error{Fault::output} when the ending names no format, the image is larger than the
///         format allows, or the file cannot be written
void write_image(const std::filesystem::path &path, const Image &image);

/// Fails where write_keypoints would fail for every image: this build cannot draw, or the file
/// cannot be written. @throws Error{Fault::output}
void require_drawable(const std::filesystem::path &path);

/// Writes the image with its keypoints in color. @throws as write_image
void write_keypoints(const std::filesystem::path &path, const Image &image,
                     std::span<const Keypoint> keypoints, KeypointShape shape);

} // namespace bowhist
