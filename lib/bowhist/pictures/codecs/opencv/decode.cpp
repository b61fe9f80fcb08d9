#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/codecs/decoders.hpp>
#include <bowhist/pictures/codecs/opencv/samples.hpp>
#include <bowhist/pictures/codecs/opencv/tiff_file.hpp>
#include <bowhist/pictures/container/png_chunks.hpp>
#include <bowhist/pictures/container/webp_frame.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <fmt/format.h>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

/// libtiff's images of red, green, blue and alpha.
class RgbaImage {
  public:
    explicit RgbaImage(const TiffFile &file) {
        std::array<char, 1024> reason = {};
        if (TIFFRGBAImageOK(file.get(), reason.data()) != 1 ||
            TIFFRGBAImageBegin(&image_, file.get(), 1, reason.data()) != 1)
            throw unreadable_tiff(reason.data());
        image_.orientation = ORIENTATION_TOPLEFT; // whatever it is, rows stay as they are
        image_.req_orientation = ORIENTATION_TOPLEFT;
    }
    ~RgbaImage() { TIFFRGBAImageEnd(&image_); }
    RgbaImage(const RgbaImage &) = delete;
    RgbaImage &operator=(const RgbaImage &) = delete;

    /// libtiff takes an extra sample of no stated kind for alpha, and leaves the colors as they
    /// are.
    bool has_alpha(const TiffLayout &layout) const {
        return image_.alpha != 0 && layout.alpha >= 0;
    }
    /// libtiff leaves grey as it is.
    bool is_straight() const {
        return image_.alpha == EXTRASAMPLE_UNASSALPHA && image_.samplesperpixel == 2;
    }

    /// `rows` rows from `y` on, both as strips or tiles lie.
    void read(int y, int rows, std::vector<std::uint32_t> &to) {
        image_.row_offset = y;
        image_.col_offset = 0;
        if (TIFFRGBAImageGet(&image_, to.data(), image_.width, static_cast<std::uint32_t>(rows)) !=
            1)
            throw unreadable_tiff();
    }

  private:
    TIFFRGBAImage image_ = {};
};

/// Writes a row of libtiff's pixels in the channels that the image has.
void put_row(const std::uint32_t *pixels, cv::Mat row) {
    const int channels = row.channels();
    auto *to = row.ptr<std::uint8_t>(0);
    for (int x = 0; x < row.cols; ++x) {
        const auto pixel = pixels[x];
        if (channels >= 3) *to++ = static_cast<std::uint8_t>(TIFFGetB(pixel));
        if (channels >= 3) *to++ = static_cast<std::uint8_t>(TIFFGetG(pixel));
        *to++ = static_cast<std::uint8_t>(TIFFGetR(pixel));
        if (channels % 2 == 0) *to++ = static_cast<std::uint8_t>(TIFFGetA(pixel));
    }
}

Samples read_rgba(const TiffFile &file, const TiffLayout &layout) {
    RgbaImage image(file);
    const int channels = (layout.is_grey() ? 1 : 3) + (image.has_alpha(layout) ? 1 : 0);
    Samples samples{.pixels = cv::Mat(layout.height, layout.width, CV_MAKETYPE(CV_8U, channels))};
    samples.alpha = image.is_straight() ? Alpha::straight : Alpha::premultiplied;
    const int step = layout.piece_height;
    std::vector<std::uint32_t> piece(static_cast<std::size_t>(layout.width) *
                                     static_cast<std::size_t>(step));
    for (int top = 0; top < layout.height; top += step) {
        const int rows = std::min(step, layout.height - top);
        image.read(top, rows, piece);
        for (int y = 0; y < rows; ++y)
            put_row(piece.data() + static_cast<std::size_t>(y) * layout.width,
                    samples.pixels.row(top + y));
    }
    return samples;
}

/// The bits of the depth that MaxSampleValue needs: writers give the largest sample that is there
/// or the largest that might be.
std::optional<double> white_of(std::uint16_t largest) {
    if (largest == 0) return std::nullopt;
    return std::ldexp(1.0, std::ilogb(static_cast<double>(largest)) + 1) - 1;
}

/// The rules that the file's tags give for samples that are taken as they lie.
SampleRules rules_of(const TiffFile &file, const TiffLayout &layout) {
    SampleRules rules{.bits = layout.bits};
    rules.white_is_zero = layout.photometric == PHOTOMETRIC_MINISWHITE;
    const bool is_unsigned = layout.format == SAMPLEFORMAT_UINT;
    const auto low = file.said<double>(TIFFTAG_SMINSAMPLEVALUE).value_or(0);
    const auto high = file.said<double>(TIFFTAG_SMAXSAMPLEVALUE);
    const auto largest = file.said<std::uint16_t>(TIFFTAG_MAXSAMPLEVALUE);
    if (high && std::isfinite(low) && std::isfinite(*high) && low < *high) {
        rules.black = low;
        rules.white = high;
    } else if (largest && is_unsigned && layout.bits <= 16) {
        rules.white = white_of(*largest);
        rules.is_white_doubtful = true; // some writers say 255 at every depth
    }
    return rules;
}

bool is_for_rgba(const TiffLayout &layout) {
    const bool is_small =
        layout.bits == 1 || layout.bits == 2 || layout.bits == 4 || layout.bits == 8;
    const bool is_plain = layout.photometric <= PHOTOMETRIC_RGB;
    return !is_plain || (is_small && layout.format == SAMPLEFORMAT_UINT);
}

/// The page of a TIFF that its header chose, as it is stored: not turned. libtiff makes 8 bits of
/// samples that have fewer and of kinds of color other than red, green and blue; its alpha is
/// mostly multiplied. All others are taken as they lie, in strips or tiles, together or apart.
/// @throws Error{Fault::input} without a path: damaged, or a kind that libtiff does not read
Samples read_tiff(std::string_view bytes, const ImageHeader &header) {
    const TiffFile file(bytes, header.directory);
    const TiffLayout layout(file);
    if (static_cast<std::uint64_t>(layout.width) != header.width ||
        static_cast<std::uint64_t>(layout.height) != header.height)
        throw unreadable_tiff("two sizes");
    if (is_for_rgba(layout)) return read_rgba(file, layout);
    Samples samples = read_tiff_samples(file, layout);
    samples.rules = rules_of(file, layout);
    return samples;
}

Error damaged(std::string_view format) {
    return {Fault::input, fmt::format("damaged, or a kind of {} that OpenCV {} does not read; get "
                                      "the picture again, or convert it to PNG or JPEG",
                                      format, CV_VERSION)};
}

/// cv::imdecode chooses the decoder itself: it asks each for its signature, and takes the
/// first that finds it. Signatures that begin the file are those of our own table of kinds. Two lie
/// further inside, where an image of any kind can hold them: that of DICOM and that of GDAL's
/// DTED.
void require_no_other_signature(std::string_view bytes) {
    const Bytes file(bytes);
    if (file.text(128, 4) == "DICM" || file.text(140, 4) == "DTED")
        throw Error(Fault::input, "a DICOM or DTED file behind a picture's first bytes; convert it "
                                  "to PNG or JPEG");
}

/// OpenCV 4.6 finds alpha where BMP has none.
Alpha alpha_of(const ImageHeader &header) {
    return header.format == "BMP" ? Alpha::ignored : Alpha::straight;
}

/// OpenCV leaves out that a sample of a grey PNG is transparent.
cv::Mat with_alpha(const cv::Mat &grey, int transparent) {
    cv::Mat alpha;
    cv::compare(grey, transparent, alpha, cv::CMP_NE); // 0 or 255
    if (grey.depth() == CV_16U) alpha.convertTo(alpha, CV_16U, 257);
    cv::Mat result;
    cv::merge(std::vector<cv::Mat>{grey, alpha}, result);
    return result;
}

/// Decodes a file by OpenCV; empty when OpenCV does not read it.
cv::Mat decode_bytes(std::span<char> bytes) {
    static const auto silenced =
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    static_cast<void>(silenced);
    require_no_other_signature({bytes.data(), bytes.size()});
    const cv::Mat view(1, static_cast<int>(bytes.size()), CV_8U, bytes.data());
    return cv::imdecode(view, cv::IMREAD_UNCHANGED);
}

/// A pixel of blue, green, red and alpha over one of the canvas, as WebP's container demands.
cv::Vec4b laid_over(const cv::Vec4b &above, const cv::Vec4b &below) {
    const int alpha = above[3];
    const int left = below[3] * (255 - alpha); // of the one below, in 255ths
    const int whole = 255 * alpha + left;
    if (whole == 0) return {0, 0, 0, 0};
    cv::Vec4b result;
    for (int c = 0; c < 3; ++c)
        result[c] = static_cast<std::uint8_t>(
            (255 * alpha * above[c] + left * below[c] + whole / 2) / whole);
    result[3] = static_cast<std::uint8_t>((whole + 127) / 255);
    return result;
}

/// Decodes the frame onto the canvas. @return its place; nothing where it is damaged
std::optional<cv::Rect> draw(const WebpFrame &frame, cv::Mat &canvas) {
    const cv::Mat decoded = decode_bytes(frame.file);
    const cv::Rect place({static_cast<int>(frame.left), static_cast<int>(frame.top)},
                         decoded.size());
    if (decoded.empty() || (place & cv::Rect({}, canvas.size())) != place) return std::nullopt;
    cv::Mat above = decoded;
    if (decoded.channels() == 3) cv::cvtColor(decoded, above, cv::COLOR_BGR2BGRA);
    cv::Mat below = canvas(place);
    if (!frame.is_laid_over || decoded.channels() == 3)
        above.copyTo(below);
    else
        std::transform(above.begin<cv::Vec4b>(), above.end<cv::Vec4b>(), below.begin<cv::Vec4b>(),
                       below.begin<cv::Vec4b>(), laid_over);
    return place;
}

cv::Mat clear_canvas(const ImageHeader &header) {
    return {static_cast<int>(header.height), static_cast<int>(header.width), CV_8UC4,
            cv::Scalar::all(0)};
}

/// The first frame of an animated WebP, on its clear canvas. Empty without a frame.
cv::Mat decode_first_frame(std::span<char> bytes, const ImageHeader &header) {
    const WebpFrame frame = WebpFrames(bytes).next();
    cv::Mat canvas = clear_canvas(header);
    if (frame.file.empty() || !draw(frame, canvas)) return {};
    return canvas;
}

bool is_animation(std::span<char> bytes, const ImageHeader &header) {
    return header.format == "WebP" && is_animated_webp(Bytes({bytes.data(), bytes.size()}));
}

Samples read_by_imgcodecs(std::span<char> bytes, const ImageHeader &header) {
    if (header.format == "PNG") bytes = drop_ancillary_chunks(bytes);
    const cv::Mat decoded =
        is_animation(bytes, header) ? decode_first_frame(bytes, header) : decode_bytes(bytes);
    if (decoded.empty()) throw damaged(header.format);
    Samples samples{.pixels = decoded, .alpha = alpha_of(header)};
    if (header.transparent_grey >= 0 && decoded.channels() == 1)
        samples.pixels = with_alpha(decoded, header.transparent_grey);
    samples.rules.bits = static_cast<int>(8 * decoded.elemSize1());
    samples.rules.significant_bits = header.significant_bits;
    if (header.white > 0) samples.rules.white = header.white;
    return samples;
}

Samples read_samples(std::span<char> bytes, const ImageHeader &header) {
    if (header.format == "TIFF") return read_tiff({bytes.data(), bytes.size()}, header);
    return read_by_imgcodecs(bytes, header);
}

/// To 8 bits and the wanted channels.
cv::Mat convert(const Samples &samples, cv::Range rows, const SampleRange &range,
                std::uint8_t ground, Color color) {
    const cv::Mat opaque = over_ground(eight_bits(samples, rows, range), samples.alpha, ground);
    if (opaque.channels() == static_cast<int>(color)) return opaque;
    cv::Mat result;
    cv::cvtColor(opaque, result, color == Color::grey ? cv::COLOR_BGR2GRAY : cv::COLOR_GRAY2BGR);
    return result;
}

/// Samples that are black and white as 0 and 65535.
cv::Mat sixteen_bits(const cv::Mat &samples, double black, double white) {
    cv::Mat result;
    const double scale = 65535 / (white - black);
    samples.convertTo(result, CV_16U, scale, -black * scale);
    return result;
}

/// As Color::whole. Samples of 32 bits and floats are rounded.
DecodedImage whole(const Samples &samples) {
    const SampleRange range = range_of(samples);
    const int channels = samples.pixels.channels();
    const bool has_alpha = samples.has_alpha() && samples.alpha != Alpha::ignored;
    std::vector<cv::Mat> planes(static_cast<std::size_t>(channels));
    cv::split(samples.pixels, planes);
    const cv::Mat alpha = has_alpha ? sixteen_bits(planes.back(), 0, range.opaque)
                                    : cv::Mat(samples.pixels.size(), CV_16U, cv::Scalar(65535));
    std::vector<cv::Mat> all;
    for (std::size_t i = 0; i < 3; ++i)
        all.push_back(sixteen_bits(planes[channels < 3 ? 0 : i], range.black, range.white));
    all.push_back(alpha);
    cv::Mat merged;
    cv::merge(all, merged);
    Raster image{merged.cols, merged.rows, Color::whole, {}};
    image.samples.assign(merged.datastart, merged.dataend); // x86 and ARM keep the low bits first
    return {std::move(image), {}, range.guess};
}

/// Converts and shrinks a band of rows at a time: no second full-size copy is made.
DecodedImage shrink(const Samples &samples, Color color, int side) {
    constexpr int band_rows = 64;
    const SampleRange range = range_of(samples);
    const std::uint8_t ground = ground_of(samples, range);
    const PixelSize full{samples.pixels.cols, samples.pixels.rows};
    AreaAverage average(full, shrunk(full, side), color);
    for (int top = 0; top < full.height; top += band_rows) {
        const cv::Range rows(top, std::min(top + band_rows, full.height));
        const cv::Mat band = convert(samples, rows, range, ground, color);
        for (int y = 0; y < band.rows; ++y) average.add(band.ptr<std::uint8_t>(y));
    }
    return {average.take(), {}, range.guess};
}

std::vector<Raster> webp_frames(const EncodedFile &file, int side, std::size_t most) {
    WebpFrames frames(file.bytes);
    cv::Mat canvas = clear_canvas(file.header);
    std::vector<Raster> images;
    while (images.size() < most) {
        const WebpFrame frame = frames.next();
        if (frame.file.empty()) break;
        const auto place = draw(frame, canvas);
        if (!place) throw damaged(file.header.format);
        images.push_back(shrink({.pixels = canvas}, Color::grey, side).image);
        if (frame.is_cleared_after) canvas(*place) = cv::Scalar::all(0);
    }
    if (images.empty()) throw damaged(file.header.format);
    return images;
}

/// Calls `work`, and throws what OpenCV does as errors of a file of that format.
template <typename Work>
auto guarded(std::string_view format, Work work) {
    try {
        return work();
    } catch (const cv::Exception &error) {
        if (error.code == cv::Error::StsNoMem) throw std::bad_alloc();
        throw damaged(format);
    }
}

} // namespace

DecodedImage decode_by_opencv(const EncodedFile &file, Color color, int side) {
    return guarded(file.header.format, [&] {
        const Samples samples = read_samples(file.bytes, file.header);
        return color == Color::whole ? whole(samples) : shrink(samples, color, side);
    });
}

std::vector<Raster> decode_frames_by_opencv(const EncodedFile &file, int side, std::size_t most) {
    if (!is_animation(file.bytes, file.header))
        return {decode_by_opencv(file, Color::grey, side).image};
    return guarded(file.header.format, [&] { return webp_frames(file, side, most); });
}

void use_one_opencv_thread() {
    cv::setNumThreads(1);
}

} // namespace bowhist
