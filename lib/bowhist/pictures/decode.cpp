#include <bowhist/pictures/decode.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/jpeg/jpeg_rows.hpp>

#include <algorithm>
#include <utility>

namespace bowhist {
namespace {

/// By how much libjpeg can shrink while it decodes, so that no fewer pixels are left than wanted.
int reduction(PixelSize full, PixelSize wanted) {
    for (const int by : {8, 4, 2}) {
        const auto left = [by](int length) { return (length + by - 1) / by; };
        if (left(full.width) >= wanted.width && left(full.height) >= wanted.height) return by;
    }
    return 1;
}

/// The limits were held against the header as image_header_jpeg reads it.
void require_checked_size(PixelSize full, const ImageHeader &header) {
    const bool same = static_cast<std::uint64_t>(full.width) == header.width &&
                      static_cast<std::uint64_t>(full.height) == header.height;
    if (!same)
        throw Error(Fault::input,
                    "damaged, its JPEG header gives two sizes; get the picture again");
}

/// A JPEG's image as it is stored, at most `side` pixels a side (0 keeps the size).
///
/// Grey is the luma as it is stored; of RGB, CMYK and YCCK it is the grey that OpenCV makes of
/// them. Where the image is twice as large as `side` or more, libjpeg decodes it at 1/2, 1/4 or
/// 1/8.
/// @throws as JpegErrors::guard
DecodedImage decode_jpeg(const EncodedImage &file, Color color, int side) {
    JpegRows rows({file.bytes.data(), std::min(file.bytes.size(), file.header.data_end)});
    require_checked_size(rows.full_size(), file.header);
    const PixelSize wanted = shrunk(rows.full_size(), side);
    rows.start(color, reduction(rows.full_size(), wanted));
    AreaAverage average(rows.size(), wanted, color);
    for (int y = 0; y < rows.size().height; ++y) average.add(rows.next());
    rows.finish();
    std::string damage = rows.damage();
    if (damage.empty() && !file.header.complete) damage = "its data stops before the end";
    return {average.take(), std::move(damage), {}};
}

/// Where the upright image's pixels lie in the stored one, in samples.
struct Walk {
    std::ptrdiff_t begin;    ///< of the top left pixel
    std::ptrdiff_t to_right; ///< from a pixel to its neighbor
    std::ptrdiff_t down;
};

Walk walk_of(const Raster &stored, int orientation) {
    const auto pixel = static_cast<std::ptrdiff_t>(stored.color);
    const auto row = static_cast<std::ptrdiff_t>(stored.row_samples());
    const bool from_right =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const std::ptrdiff_t begin =
        (from_right ? row - pixel : 0) + (from_below ? row * (stored.height - 1) : 0);
    const std::ptrdiff_t along_row = from_right ? -pixel : pixel;
    const std::ptrdiff_t across_rows = from_below ? -row : row;
    return orientation >= 5 ? Walk{begin, across_rows, along_row}
                            : Walk{begin, along_row, across_rows};
}

/// The image turned and mirrored as its Exif orientation (1 to 8) asks.
Raster upright(Raster stored, int orientation) {
    if (orientation <= 1) return stored;
    const Walk walk = walk_of(stored, orientation);
    Raster result{stored.width, stored.height, stored.color, {}};
    if (orientation >= 5) std::swap(result.width, result.height);
    result.samples.resize(stored.samples.size());
    const auto channels = static_cast<int>(stored.color);
    constexpr int tile = 32; // pixels a side: rows of both images stay in the cache
    for (int top = 0; top < result.height; top += tile)
        for (int left = 0; left < result.width; left += tile)
            for (int y = top; y < std::min(top + tile, result.height); ++y) {
                auto *to = result.samples.data() + y * result.row_samples() + left * channels;
                const auto *from =
                    stored.samples.data() + walk.begin + y * walk.down + left * walk.to_right;
                const int pixels = std::min(tile, result.width - left);
                for (int x = 0; x < pixels; ++x, from += walk.to_right)
                    to = std::copy_n(from, channels, to);
            }
    return result;
}

} // namespace

DecodedImage decode(const EncodedImage &file, Color color, int side) {
    DecodedImage decoded = file.header.decoder == Decoder::libjpeg
                               ? decode_jpeg(file, color, side)
                               : codecs().decode(file, color, side);
    decoded.image = upright(std::move(decoded.image), file.header.orientation);
    return decoded;
}

} // namespace bowhist
