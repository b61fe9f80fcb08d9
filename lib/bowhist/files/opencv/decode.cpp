#include <bowhist/files/opencv/decode.hpp>

#include <bowhist/files/opencv/samples.hpp>
#include <bowhist/files/png_chunks.hpp>

#include <algorithm>
#include <cmath>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace bowhist {
namespace {

/// By how much libjpeg can shrink while decoding (1, 2, 4 or 8), so that `side` pixels are left,
/// and the longer side remains the longer: it tells afterwards whether EXIF turned the picture.
int reduction(const PictureHeader &header, int side) {
    for (const int by : {8, 4, 2}) {
        const auto width = (header.width + by - 1) / by;
        const auto height = (header.height + by - 1) / by;
        const bool enough = side > 0 && std::max(width, height) >= static_cast<std::uint64_t>(side);
        if (enough && (width == height) == (header.width == header.height)) return by;
    }
    return 1;
}

int jpeg_flags(Colour colour, int by) {
    const bool grey = colour == Colour::grey;
    switch (by) {
    case 2:
        return grey ? cv::IMREAD_REDUCED_GRAYSCALE_2 : cv::IMREAD_REDUCED_COLOR_2;
    case 4:
        return grey ? cv::IMREAD_REDUCED_GRAYSCALE_4 : cv::IMREAD_REDUCED_COLOR_4;
    case 8:
        return grey ? cv::IMREAD_REDUCED_GRAYSCALE_8 : cv::IMREAD_REDUCED_COLOR_8;
    default:
        return grey ? cv::IMREAD_GRAYSCALE : cv::IMREAD_COLOR;
    }
}

cv::Mat decode_bytes(std::string &bytes, int flags) {
    const cv::Mat view(1, static_cast<int>(bytes.size()), CV_8U, bytes.data());
    return cv::imdecode(view, flags);
}

/// The longer side becomes `side`; the shorter follows from the full size, not from a reduced one.
cv::Mat shrink(const cv::Mat &picture, cv::Size full, int side) {
    const int longer = std::max(full.width, full.height);
    const int shorter = std::min(full.width, full.height);
    if (side <= 0 || longer <= side) return picture;
    const int short_side =
        std::max(1, static_cast<int>(std::lround(static_cast<double>(shorter) * side / longer)));
    const cv::Size size =
        picture.cols >= picture.rows ? cv::Size(side, short_side) : cv::Size(short_side, side);
    if (picture.size() == size) return picture;
    cv::Mat small;
    cv::resize(picture, small, size, 0, 0, cv::INTER_AREA);
    return small;
}

/// To 8 bits and the wanted channels, a band of rows at a time: no second full-size copy is made.
cv::Mat convert(const cv::Mat &decoded, const PictureHeader &header, Colour colour) {
    constexpr int band_rows = 64;
    cv::Mat result(decoded.size(), colour == Colour::grey ? CV_8UC1 : CV_8UC3);
    for (int top = 0; top < decoded.rows; top += band_rows) {
        const cv::Range rows(top, std::min(top + band_rows, decoded.rows));
        const cv::Mat opaque = over_white(eight_bits(decoded.rowRange(rows), header.white),
                                          alpha_of(header, decoded.depth()));
        cv::Mat target = result.rowRange(rows);
        if (opaque.channels() == target.channels()) {
            opaque.copyTo(target);
        } else {
            cv::cvtColor(opaque, target,
                         colour == Colour::grey ? cv::COLOR_BGR2GRAY : cv::COLOR_GRAY2BGR);
        }
    }
    return result;
}

} // namespace

cv::Mat decode(PictureFile file, Colour colour, int side) {
    const auto &header = file.header;
    if (header.format == "JPEG") {
        const int by = reduction(header, side);
        const cv::Mat picture = decode_bytes(file.bytes, jpeg_flags(colour, by));
        const cv::Size full(static_cast<int>(header.width), static_cast<int>(header.height));
        return picture.empty() ? picture : shrink(picture, full, side);
    }
    if (header.format == "PNG") drop_ancillary_chunks(file.bytes);
    cv::Mat decoded = decode_bytes(file.bytes, cv::IMREAD_UNCHANGED);
    if (decoded.empty()) return decoded;
    file.bytes = {};
    const cv::Mat whole = convert(decoded, header, colour);
    decoded.release();
    return shrink(whole, whole.size(), side);
}

} // namespace bowhist
