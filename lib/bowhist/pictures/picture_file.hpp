#pragma once

#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// A whole image file that is worth decoding, wherever its bytes lie.
struct EncodedImage {
    ImageHeader header;
    std::span<char> bytes; ///< the caller's; a decoder may change them
};

struct ImageFile {
    ImageHeader header;
    std::string bytes;
};

/// Upper bound on the pixels that are left of an image, however it is turned; `side` 0 keeps the
/// size.
std::uint64_t most_pixels_left(const ImageHeader &header, int side);

/// What decoding holds at most: the decoder's pixels, and what is left of them in grey, three
/// times: as they are made, in memory shared with a worker, and for the caller.
std::uint64_t bytes_to_decode(const ImageHeader &header, int side);

/// Bytes of decoded pixels that all threads may hold together by these limits.
std::uint64_t most_bytes_together(const ImageLimits &limits);

/// Why a file whose data stops too early is refused, and what to do.
std::string truncation(std::string_view format);

/// Reads an image's file once, and refuses all that should never reach a decoder.
/// @throws as read_image, but for damage that only decoding finds
ImageFile read_image_file(const std::filesystem::path &path, const ImageLimits &limits);

/// The same of bytes in memory, which `name` stands for in errors.
ImageFile check_image_bytes(std::string_view bytes, const std::filesystem::path &name,
                            const ImageLimits &limits);

} // namespace bowhist
