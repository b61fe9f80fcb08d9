#pragma once

#include <bowhist/pictures/codecs/opencv/tiff_file.hpp>

#include <cstdint>

namespace bowhist {

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

} // namespace bowhist
