#pragma once

#include <bowhist/core/codes.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bowhist {

/// A whole image file that is worth decoding, wherever its bytes lie.
struct EncodedFile {
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

/// Pixels that an image has when it is enlarged; 0 where it is not.
std::uint64_t enlarged_pixels(const ImageHeader &header, const ImageLimits &limits);

/// The most bytes that decoding holds: the decoder's pixels; what is left of them in grey, three
/// times: as they are made, in memory shared with a worker, and for the caller; and the enlarged
/// image.
std::uint64_t bytes_to_decode(const ImageHeader &header, const ImageLimits &limits);

/// Bytes of decoded pixels that all threads may hold together by these limits.
std::uint64_t most_bytes_together(const ImageLimits &limits);

/// Why a file whose data stops too early is refused, and what to do.
std::string truncation(std::string_view format);

/// An image's file, open and in memory.
class ImageBytes {
  public:
    /// Reads the file. One that is far larger than any image's is refused, as read_image_file does.
    /// @throws Error{Fault::input}: missing, unreadable, a directory, not a regular file, absurdly
    ///         large
    ImageBytes(const std::filesystem::path &path, const ImageLimits &limits);
    /// The same of bytes in memory. @param name  for messages
    ImageBytes(std::string_view bytes, const std::filesystem::path &name,
               const ImageLimits &limits);

    const std::string &bytes() const { return bytes_; }
    FileStamp stamp() const;      ///< of the open file, now
    std::int64_t changed() const; ///< its ctime, nanoseconds since 1970
    /// @throws Error{Fault::input} where the file was written to since it was opened
    void require_unchanged() const { file_.require_unchanged(); }
    /// The file, as read_image_file returns it, and with it the bytes. @throws as read_image_file
    ImageFile take(const ImageLimits &limits);

  private:
    void read(const ImageLimits &limits);

    InputFile file_;
    std::string bytes_;
};

/// Reads an image's file once, and refuses all that should never reach a decoder.
/// @throws as read_image, but for damage that only decoding finds
ImageFile read_image_file(const std::filesystem::path &path, const ImageLimits &limits);

/// The same of bytes in memory, which `name` stands for in errors.
ImageFile check_image_bytes(std::string_view bytes, const std::filesystem::path &name,
                            const ImageLimits &limits);

/// The traits of a file, by its headers, and its stamp when it was read. Only the beginning of a
/// JPEG of one picture is read.
/// @throws as ImageBytes
std::pair<ImageTraits, FileStamp> read_image_traits(const std::filesystem::path &path);

} // namespace bowhist
