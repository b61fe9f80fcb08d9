#include <bowhist/pictures/codecs/opencv/read_tiff.hpp>

#include <bowhist/pictures/codecs/opencv/tiff_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
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

} // namespace

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

} // namespace bowhist
