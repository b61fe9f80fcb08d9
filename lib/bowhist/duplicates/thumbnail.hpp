#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/pictures/raster.hpp>

#include <filesystem>
#include <string_view>

namespace bowhist {

/// The pixels by which two images are compared.
struct Thumbnail {
    Image luma;
    Raster color;
};

/// A library's thumbnail. @param name  for messages
/// @throws Error{Fault::input} for a damaged one
Thumbnail decode_thumbnail(std::string_view jpeg, const std::filesystem::path &name);

} // namespace bowhist
