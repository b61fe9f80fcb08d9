#include <bowhist/pictures/codecs/opencv/tiff_file.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace bowhist {
namespace {

// Samples of a TIFF that no C++ type holds.

/// Bytes that must follow a row of packed samples: they are read five at a time.
constexpr std::size_t packed_sample_padding = 8;

/// A sample of fewer than 32 bits, the highest first, `at` bits behind the first of the row.
inline std::uint32_t packed_sample(const std::uint8_t *row, std::size_t at, int bits) {
    std::uint64_t window = 0;
    for (std::size_t i = 0; i < 5; ++i) window = window << 8 | row[at / 8 + i];
    const auto behind = 40 - static_cast<int>(at % 8) - bits;
    return static_cast<std::uint32_t>(window >> behind) & ((1U << bits) - 1);
}

/// libtiff puts 24 bits in the host's order, little-endian as everywhere here.
inline std::uint32_t three_bytes(const std::uint8_t *at) {
    return static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[1]) << 8 | at[0];
}

/// A float of 24 bits: a sign, 7 bits of exponent, 16 of fraction.
inline float float24(std::uint32_t bits) {
    constexpr std::uint32_t special = 0x7F;
    constexpr int bias = 63;
    constexpr int fraction_bits = 16;
    const std::uint32_t exponent = bits >> fraction_bits & special;
    const std::uint32_t fraction = bits & 0xFFFF;
    float size = 0;
    if (exponent == special)
        size = fraction == 0 ? std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        size = std::ldexp(static_cast<float>(fraction), 1 - bias - fraction_bits);
    else
        size = std::ldexp(static_cast<float>(fraction | 1U << fraction_bits),
                          static_cast<int>(exponent) - bias - fraction_bits);
    return bits >> 23 != 0 ? -size : size;
}

/// A decoded strip or tile, and where it lies in the image.
struct Piece {
    std::vector<std::uint8_t> bytes;
    int plane = 0; ///< the sample that it holds, where samples lie apart
    int left = 0;
    int top = 0;
    int width = 0;  ///< that lies in the image
    int height = 0; ///< that lies in the image
};

/// Reads one page. The file and the layout must outlive the object.
class SampleReader {
  public:
    SampleReader(const TiffFile &file, const TiffLayout &layout)
        : file_(file), layout_(layout), samples_in_piece_(layout.has_planes ? 1 : layout.samples) {}

    Samples read() {
        Samples samples;
        const int channels = layout_.colors + (layout_.alpha >= 0 ? 1 : 0);
        samples.pixels.create(layout_.height, layout_.width, CV_MAKETYPE(depth(), channels));
        samples.is_unsigned = layout_.format == SAMPLEFORMAT_UINT;
        samples.alpha = layout_.is_premultiplied ? Alpha::premultiplied : Alpha::straight;
        piece_.bytes.resize(row_bytes() * layout_.piece_height + packed_sample_padding);
        const int planes = layout_.has_planes ? layout_.samples : 1;
        for (int plane = 0; plane < planes; ++plane)
            if (is_shown(plane)) read_plane(plane, samples.pixels);
        return samples;
    }

  private:
    int depth() const {
        const int bits = layout_.bits;
        if (layout_.format == SAMPLEFORMAT_IEEEFP)
            return bits == 16 ? CV_16F : bits <= 32 ? CV_32F : CV_64F;
        const bool has_sign = layout_.format == SAMPLEFORMAT_INT;
        if (bits == 8) return has_sign ? CV_8S : CV_8U;
        if (bits <= 16) return has_sign ? CV_16S : CV_16U;
        return bits <= 32 ? CV_32S : CV_64F;
    }

    std::size_t row_bytes() const {
        const auto samples = static_cast<std::size_t>(layout_.piece_width) *
                             static_cast<std::size_t>(samples_in_piece_);
        return (samples * static_cast<std::size_t>(layout_.bits) + 7) / 8;
    }

    /// The sample of a pixel that a channel of the image holds.
    int sample_of(int channel) const {
        if (channel == layout_.colors) return layout_.alpha;
        return layout_.colors - 1 - channel; // blue comes first
    }

    bool is_shown(int plane) const {
        return !layout_.has_planes || plane < layout_.colors || plane == layout_.alpha;
    }

    void read_plane(int plane, cv::Mat &pixels) {
        piece_.plane = plane;
        for (int top = 0; top < layout_.height; top += layout_.piece_height)
            for (int left = 0; left < layout_.width; left += layout_.piece_width) {
                piece_.left = left;
                piece_.top = top;
                piece_.width = std::min(layout_.piece_width, layout_.width - left);
                piece_.height = std::min(layout_.piece_height, layout_.height - top);
                decode_piece();
                take_piece(pixels);
            }
    }

    /// Decodes a piece; samples that it lacks stay 0.
    void decode_piece() {
        TIFF *tiff = file_.get();
        const auto x = static_cast<std::uint32_t>(piece_.left);
        const auto y = static_cast<std::uint32_t>(piece_.top);
        const auto plane = static_cast<std::uint16_t>(piece_.plane);
        std::ranges::fill(piece_.bytes, std::uint8_t{0});
        auto *to = piece_.bytes.data();
        const auto rows = layout_.is_tiled ? layout_.piece_height : piece_.height;
        const auto room = static_cast<tmsize_t>(row_bytes()) * rows;
        const auto got =
            layout_.is_tiled
                ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), to, room)
                : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), to, room);
        if (got < 0) throw unreadable_tiff();
    }

    void take_piece(cv::Mat &pixels) const {
        const int bits = layout_.bits;
        const bool floats = layout_.format == SAMPLEFORMAT_IEEEFP;
        const bool has_sign = layout_.format == SAMPLEFORMAT_INT;
        if (floats && bits == 24)
            spread<float>(
                pixels, [](const auto *row, auto i) { return float24(three_bytes(row + 3 * i)); });
        else if (bits == 24)
            spread<std::uint32_t>(pixels,
                                  [](const auto *row, auto i) { return three_bytes(row + 3 * i); });
        else if (bits == 8)
            spread_as_is<std::uint8_t>(pixels);
        else if (bits == 16)
            spread_as_is<std::uint16_t>(pixels);
        else if (bits == 32)
            spread_as_is<std::uint32_t>(pixels);
        else if (bits == 64 && floats)
            spread_as_is<double>(pixels);
        else if (bits == 64 && has_sign)
            spread<double>(pixels, as_double<std::int64_t>);
        else if (bits == 64)
            spread<double>(pixels, as_double<std::uint64_t>);
        else if (bits < 16)
            spread<std::uint16_t>(pixels, [bits](const auto *row, auto i) {
                return static_cast<std::uint16_t>(
                    packed_sample(row, i * static_cast<std::size_t>(bits), bits));
            });
        else
            spread<std::uint32_t>(pixels, [bits](const auto *row, auto i) {
                return packed_sample(row, i * static_cast<std::size_t>(bits), bits);
            });
    }

    template <typename Sample>
    static Sample sample_at(const std::uint8_t *row, std::size_t i) {
        Sample sample;
        std::memcpy(&sample, row + i * sizeof sample, sizeof sample);
        return sample;
    }
    template <typename Sample>
    static double as_double(const std::uint8_t *row, std::size_t i) {
        return static_cast<double>(sample_at<Sample>(row, i));
    }
    template <typename Sample>
    void spread_as_is(cv::Mat &pixels) const {
        spread<Sample>(pixels, sample_at<Sample>);
    }

    /// Writes the piece's samples to where they belong; `take` finds one in a row by its number.
    template <typename To, typename Take>
    void spread(cv::Mat &pixels, Take take) const {
        const int channels = pixels.channels();
        for (int channel = 0; channel < channels; ++channel) {
            const int sample = sample_of(channel);
            if (layout_.has_planes && sample != piece_.plane) continue;
            auto i = static_cast<std::size_t>(layout_.has_planes ? 0 : sample);
            const auto first = i;
            for (int y = 0; y < piece_.height; ++y) {
                const auto *row = piece_.bytes.data() + row_bytes() * static_cast<std::size_t>(y);
                auto *to = pixels.ptr<To>(piece_.top + y) + piece_.left * channels + channel;
                i = first;
                for (int x = 0; x < piece_.width; ++x, to += channels, i += samples_in_piece_)
                    *to = take(row, i);
            }
        }
    }

    const TiffFile &file_;
    const TiffLayout &layout_;
    int samples_in_piece_;
    Piece piece_;
};

void require_known(const TiffLayout &layout) {
    const int bits = layout.bits;
    const bool is_whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    const bool is_known = layout.format == SAMPLEFORMAT_UINT  ? (bits >= 1 && bits < 32) || is_whole
                          : layout.format == SAMPLEFORMAT_INT ? is_whole
                          : layout.format == SAMPLEFORMAT_IEEEFP
                              ? bits == 24 || (is_whole && bits > 8)
                              : false;
    if (!is_known) throw unreadable_tiff("samples of an unknown kind");
}

} // namespace

Samples read_tiff_samples(const TiffFile &file, const TiffLayout &layout) {
    require_known(layout);
    return SampleReader(file, layout).read();
}

} // namespace bowhist
