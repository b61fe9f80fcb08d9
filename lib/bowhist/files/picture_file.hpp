#pragma once

#include <bowhist/files/picture.hpp>
#include <bowhist/files/picture_header.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// A whole picture file that is worth decoding.
struct PictureFile {
    PictureHeader header;
    std::string bytes;
};

/// Reads a picture's file once, and refuses all that should never reach a decoder.
/// @throws as read_picture, but for damage that only decoding finds
PictureFile read_picture_file(const std::filesystem::path &path, const PictureLimits &limits);

} // namespace bowhist
