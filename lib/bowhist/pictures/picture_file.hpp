#pragma once

#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// A whole picture file that is worth decoding, wherever its bytes lie.
struct EncodedPicture {
    PictureHeader header;
    std::span<char> bytes; ///< the caller's; a decoder may change them
};

struct PictureFile {
    PictureHeader header;
    std::string bytes;
};

/// Upper bound on the pixels that are left of a picture, however it is turned; `side` 0 keeps the
/// size.
std::uint64_t most_pixels_left(const PictureHeader &header, int side);

/// What decoding holds at most: the decoder's pixels, and what is left of them in grey, three
/// times: as they are made, in memory shared with a worker, and for the caller.
std::uint64_t bytes_to_decode(const PictureHeader &header, int side);

/// Bytes of decoded pixels that all threads may hold together by these limits.
std::uint64_t most_bytes_together(const PictureLimits &limits);

/// Why a file whose data stops too early is refused, and what to do.
std::string truncation(std::string_view format);

/// Reads a picture's file once, and refuses all that should never reach a decoder.
/// @throws as read_picture, but for damage that only decoding finds
PictureFile read_picture_file(const std::filesystem::path &path, const PictureLimits &limits);

} // namespace bowhist
