#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/pictures/codecs/opencv/samples.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace bowhist {

/// The error for a file that libtiff does not read. `reason` may be empty.
Error unreadable_tiff(std::string_view reason = {});

/// A TIFF in memory, open at one of its directories. The bytes must outlive the object.
class TiffFile {
  public:
    /// @throws Error{Fault::input} without a path
    TiffFile(std::string_view bytes, std::uint64_t directory);
    TiffFile(const TiffFile &) = delete;
    TiffFile &operator=(const TiffFile &) = delete;

    TIFF *get() const { return tiff_.get(); }

    /// The value of a tag, its default where TIFF has one.
    template <typename Value>
    Value get(std::uint32_t tag, Value otherwise) const {
        Value value{};
        return TIFFGetFieldDefaulted(tiff_.get(), tag, &value) == 1 ? value : otherwise;
    }
    /// The value of a tag that the file has.
    template <typename Value>
    std::optional<Value> said(std::uint32_t tag) const {
        Value value{};
        if (TIFFGetField(tiff_.get(), tag, &value) != 1) return std::nullopt;
        return value;
    }

    struct Source; ///< of libtiff's calls

  private:
    std::shared_ptr<Source> source_;
    std::unique_ptr<TIFF, Release<TIFFClose>> tiff_;
};

/// How the samples of a page lie.
struct TiffLayout {
    /// @throws Error{Fault::input} without a path, where there are no samples
    explicit TiffLayout(const TiffFile &file);

    /// A palette has one sample of a pixel, too, and colors.
    bool is_grey() const { return colors == 1 && photometric <= PHOTOMETRIC_MINISBLACK; }

    int width = 0;   ///< pixels
    int height = 0;  ///< pixels
    int bits = 1;    ///< of a sample
    int samples = 1; ///< of a pixel
    int colors = 1;  ///< of these samples, 1 or 3; they come first
    int alpha = -1;  ///< the sample that is alpha, -1 without one; never one that is unspecified
    bool is_premultiplied = false;
    bool has_planes = false; ///< samples lie apart
    bool is_tiled = false;
    int piece_width = 0;  ///< of a strip or tile, pixels
    int piece_height = 0; ///< of a strip or tile, pixels; no more than the image's in strips
    std::uint16_t format = SAMPLEFORMAT_UINT;
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;

  private:
    void find_colors(const TiffFile &file);
};

/// The samples of a page: grey, or blue, green and red; then alpha where there is one: in the
/// smallest depth of a cv::Mat that holds them. Integers of 64 bits become doubles, floats of 24
/// become floats.
/// @throws Error{Fault::input} without a path
Samples read_tiff_samples(const TiffFile &file, const TiffLayout &layout);

} // namespace bowhist
