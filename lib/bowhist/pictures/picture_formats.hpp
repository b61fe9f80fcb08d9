#pragma once

#include <bowhist/pictures/picture_header.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace bowhist {

/// A file's bytes, read without ever leaving them: beyond the end everything is 0, so that a
/// header reader needs no check before each field.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t size() const { return bytes_.size(); }
    bool holds(std::uint64_t offset, std::uint64_t length) const {
        return offset <= size() && length <= size() - offset;
    }
    std::string_view text(std::uint64_t offset, std::size_t length) const {
        return offset < size() ? bytes_.substr(offset, length) : std::string_view{};
    }
    std::uint8_t at(std::uint64_t offset) const {
        return offset < size() ? static_cast<std::uint8_t>(bytes_[offset]) : std::uint8_t{0};
    }
    std::uint64_t big(std::uint64_t offset, int count) const {
        std::uint64_t value = 0;
        for (int i = 0; i < count; ++i) value = value << 8 | at(offset + i);
        return value;
    }
    std::uint64_t little(std::uint64_t offset, int count) const {
        std::uint64_t value = 0;
        for (int i = count; i-- > 0;) value = value << 8 | at(offset + i);
        return value;
    }

  private:
    std::string_view bytes_;
};

/// Products and sums of numbers that a file says, at most the largest that there is.
inline std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return b > 0 && a > most / b ? most : a * b;
}
inline std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// The header of a picture whose decoder holds so many bytes for each pixel.
inline PictureHeader with_decoder_bytes(PictureHeader header, std::uint64_t bytes_per_pixel) {
    const auto pixels = saturated_product(header.width, header.height);
    header.decoder_bytes = saturated_product(pixels, bytes_per_pixel);
    return header;
}

// One reader a format. Each is given bytes that begin with its format's magic.
PictureHeader jpeg_header(const Bytes &file);
PictureHeader png_header(const Bytes &file);
PictureHeader webp_header(const Bytes &file);
PictureHeader tiff_header(const Bytes &file);
PictureHeader bmp_header(const Bytes &file);
PictureHeader pnm_header(const Bytes &file);
PictureHeader jp2_header(const Bytes &file);        ///< JPEG 2000 in boxes
PictureHeader codestream_header(const Bytes &file); ///< JPEG 2000, bare
PictureHeader sun_raster_header(const Bytes &file);
PictureHeader gif_header(const Bytes &file);
PictureHeader heif_header(const Bytes &file); ///< HEIC and AVIF

} // namespace bowhist
