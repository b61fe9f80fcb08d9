#include <bowhist/pictures/decode.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/jpeg/jpeg_rows.hpp>
#include <bowhist/pictures/upright.hpp>

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

} // namespace

DecodedImage decode(const EncodedImage &file, Color color, int side) {
    DecodedImage decoded = file.header.decoder == Decoder::libjpeg
                               ? decode_jpeg(file, color, side)
                               : codecs().decode(file, color, side);
    decoded.image = upright(std::move(decoded.image), file.header.orientation);
    return decoded;
}

} // namespace bowhist
