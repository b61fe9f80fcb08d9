#include <bowhist/pictures/module/decoders.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/opencv/samples.hpp>
#include <bowhist/pictures/png_chunks.hpp>
#include <bowhist/pictures/webp_frame.hpp>

#include <fmt/format.h>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <new>

namespace bowhist {
namespace {

Error damaged(std::string_view format) {
    return {Fault::input, fmt::format("damaged, or a kind of {} that OpenCV {} does not read; get "
                                      "the picture again, or convert it to PNG or JPEG",
                                      format, CV_VERSION)};
}

/// cv::imdecode cannot be told which decoder to take: it asks each for its signature, and takes the
/// first that finds it. Signatures that begin the file are those of our own table of kinds. Two lie
/// further inside, where a picture of any kind can hold them: that of DICOM and that of GDAL's
/// DTED.
void require_no_other_signature(std::string_view bytes) {
    constexpr std::size_t dicom_at = 128;
    constexpr std::size_t dted_at = 140;
    const bool is_other = (bytes.size() > dicom_at && bytes.substr(dicom_at, 4) == "DICM") ||
                          (bytes.size() > dted_at && bytes.substr(dted_at, 4) == "DTED");
    if (is_other)
        throw Error(Fault::input, "a DICOM or DTED file behind a picture's first bytes; convert it "
                                  "to PNG or JPEG");
}

cv::Mat decode_bytes(std::span<char> bytes, const PictureHeader &header) {
    static const auto silenced =
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    static_cast<void>(silenced);
    const cv::Mat view(1, static_cast<int>(bytes.size()), CV_8U, bytes.data());
    constexpr int eight_bits = cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION;
    return cv::imdecode(view, header.has_planes ? eight_bits : cv::IMREAD_UNCHANGED);
}

/// The first frame of an animated WebP, on its clear canvas. Empty where there is none.
cv::Mat decode_first_frame(std::span<char> bytes, const PictureHeader &header) {
    const WebpFrame frame = first_webp_frame(bytes);
    if (frame.file.empty()) return {};
    const cv::Mat decoded = decode_bytes(frame.file, header);
    const cv::Size canvas(static_cast<int>(header.width), static_cast<int>(header.height));
    const cv::Rect place({static_cast<int>(frame.left), static_cast<int>(frame.top)},
                         decoded.size());
    if (decoded.empty() || (place & cv::Rect({}, canvas)) != place) return {};
    if (decoded.size() == canvas) return decoded;
    cv::Mat result(canvas, CV_8UC4, cv::Scalar::all(0));
    cv::Mat opaque;
    if (decoded.channels() == 3) cv::cvtColor(decoded, opaque, cv::COLOR_BGR2BGRA);
    (opaque.empty() ? decoded : opaque).copyTo(result(place));
    return result;
}

/// To 8 bits and the wanted channels.
cv::Mat convert(const cv::Mat &decoded, const PictureHeader &header, Colour colour) {
    const cv::Mat opaque =
        over_white(eight_bits(decoded, header.white), alpha_of(header, decoded.depth()));
    if (opaque.channels() == static_cast<int>(colour)) return opaque;
    cv::Mat result;
    cv::cvtColor(opaque, result, colour == Colour::grey ? cv::COLOR_BGR2GRAY : cv::COLOR_GRAY2BGR);
    return result;
}

/// Converts and shrinks a band of rows at a time: no second full-size copy is made.
Raster shrink(const cv::Mat &decoded, const PictureHeader &header, Colour colour, int side) {
    constexpr int band_rows = 64;
    const PixelSize full{decoded.cols, decoded.rows};
    AreaAverage average(full, shrunk(full, side), colour);
    for (int top = 0; top < decoded.rows; top += band_rows) {
        const cv::Range rows(top, std::min(top + band_rows, decoded.rows));
        const cv::Mat band = convert(decoded.rowRange(rows), header, colour);
        for (int y = 0; y < band.rows; ++y) average.add(band.ptr<std::uint8_t>(y));
    }
    return average.take();
}

} // namespace

DecodedPicture decode_by_opencv(const EncodedPicture &file, Colour colour, int side) {
    const auto &header = file.header;
    try {
        auto bytes = file.bytes;
        if (header.format == "PNG") bytes = drop_ancillary_chunks(bytes);
        require_no_other_signature({bytes.data(), bytes.size()});
        const bool is_animated = header.format == "WebP" && is_animated_webp(bytes);
        const cv::Mat decoded =
            is_animated ? decode_first_frame(bytes, header) : decode_bytes(bytes, header);
        if (decoded.empty()) throw damaged(header.format);
        return {shrink(decoded, header, colour, side), {}, {}};
    } catch (const cv::Exception &error) {
        if (error.code == cv::Error::StsNoMem) throw std::bad_alloc();
        throw damaged(header.format);
    }
}

void use_one_opencv_thread() {
    cv::setNumThreads(1);
}

} // namespace bowhist
