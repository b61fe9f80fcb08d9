#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

// TIFFs written by hand: any tags, sub-directories, bits and kinds of samples, strips or tiles, in
// either byte order, classic or big.

struct TiffTag {
    unsigned tag;
    unsigned type; ///< 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 8 SSHORT, 11 FLOAT, 12 DOUBLE, 16 LONG8
    std::vector<double> values;
};

/// How pixels are stored.
struct TiffPixels {
    int bits = 8;
    int format = 1;          ///< 1 unsigned, 2 signed, 3 floats
    int photometric = -1;    ///< -1: 1 or 2, by the channels
    int tile = 0;            ///< pixels a side; 0: strips
    int strip_rows = 0;      ///< 0: all
    bool has_planes = false; ///< samples lie apart
};

class TiffMaker {
  public:
    explicit TiffMaker(bool is_little = true, bool is_big = false)
        : is_little_(is_little), is_big_(is_big), file_(is_little ? "II" : "MM") {
        put(is_big ? 43 : 42, 2);
        if (is_big) put(8, 2); // bytes of an offset
        file_.resize(is_big ? 16 : 8);
    }

    /// Offset of the bytes.
    std::uint64_t add(const std::string &bytes) {
        file_.resize((file_.size() + 7) / 8 * 8);
        const auto at = file_.size();
        file_ += bytes;
        return at;
    }

    /// Offset of a new directory, whose successor lies at `next`.
    std::uint64_t add_directory(std::vector<TiffTag> tags, std::uint64_t next = 0) {
        std::ranges::stable_sort(tags, {}, &TiffTag::tag);
        std::vector<std::string> values;
        for (const TiffTag &tag : tags) values.push_back(inside(tag));
        const auto at = add("");
        put(tags.size(), is_big_ ? 8 : 2);
        for (std::size_t i = 0; i < tags.size(); ++i) {
            put(tags[i].tag, 2);
            put(tags[i].type, 2);
            put(tags[i].values.size(), offset_bytes());
            file_ += values[i];
        }
        put(next, offset_bytes());
        return at;
    }

    /// The tags of a page with those samples, CV_64F, in the file's order of channels.
    std::vector<TiffTag> page(const cv::Mat &samples, const TiffPixels &how = {}) {
        const int channels = samples.channels();
        const int kind = how.photometric >= 0 ? how.photometric : channels >= 3 ? 2 : 1;
        std::vector<TiffTag> tags = {{256, 4, {double(samples.cols)}},
                                     {257, 4, {double(samples.rows)}},
                                     {258, 3, std::vector<double>(channels, how.bits)},
                                     {259, 3, {1}},
                                     {262, 3, {double(kind)}},
                                     {277, 3, {double(channels)}},
                                     {284, 3, {how.has_planes ? 2.0 : 1.0}}};
        if (how.format != 1) tags.push_back({339, 3, std::vector<double>(channels, how.format)});
        const int rows = how.tile > 0         ? how.tile
                         : how.strip_rows > 0 ? how.strip_rows
                                              : samples.rows;
        const int columns = how.tile > 0 ? how.tile : samples.cols;
        std::vector<double> offsets;
        std::vector<double> sizes;
        for (int plane = 0; plane < (how.has_planes ? channels : 1); ++plane)
            for (int y = 0; y < samples.rows; y += rows)
                for (int x = 0; x < samples.cols; x += columns) {
                    const int high = how.tile > 0 ? rows : std::min(rows, samples.rows - y);
                    const auto piece = packed(samples, {x, y, columns, high}, plane, how);
                    offsets.push_back(double(add(piece)));
                    sizes.push_back(double(piece.size()));
                }
        if (how.tile > 0) {
            tags.push_back({322, 3, {double(columns)}});
            tags.push_back({323, 3, {double(rows)}});
        } else {
            tags.push_back({278, 4, {double(rows)}});
        }
        tags.push_back({how.tile > 0 ? 324U : 273U, 4, offsets});
        tags.push_back({how.tile > 0 ? 325U : 279U, 4, sizes});
        return tags;
    }

    std::string file(std::uint64_t first_directory) {
        std::string whole = file_;
        file_.clear();
        put(first_directory, offset_bytes());
        whole.replace(is_big_ ? 8 : 4, file_.size(), file_);
        return file_ = whole;
    }

  private:
    int offset_bytes() const { return is_big_ ? 8 : 4; }

    void put(std::uint64_t number, int bytes) { file_ += ordered(number, bytes); }

    std::string ordered(std::uint64_t number, int bytes) const {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += static_cast<char>(number >> 8 * (is_little_ ? i : bytes - 1 - i));
        return text;
    }

    std::string value(double number, unsigned type) const {
        if (type == 11) return ordered(std::bit_cast<std::uint32_t>(static_cast<float>(number)), 4);
        if (type == 12) return ordered(std::bit_cast<std::uint64_t>(number), 8);
        const int bytes = type <= 2 || type == 6   ? 1
                          : type == 3 || type == 8 ? 2
                          : type == 16             ? 8
                                                   : 4;
        return ordered(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)), bytes);
    }

    /// The values, or where they lie.
    std::string inside(const TiffTag &tag) {
        std::string bytes;
        for (const double number : tag.values) bytes += value(number, tag.type);
        const auto room = static_cast<std::size_t>(offset_bytes());
        if (bytes.size() > room) return ordered(add(bytes), offset_bytes());
        bytes.resize(room);
        return bytes;
    }

    /// The bits of a sample.
    static std::uint64_t pattern(double sample, const TiffPixels &how) {
        if (how.format != 3) return static_cast<std::uint64_t>(static_cast<std::int64_t>(sample));
        if (how.bits == 64) return std::bit_cast<std::uint64_t>(sample);
        const auto whole = std::bit_cast<std::uint32_t>(static_cast<float>(sample));
        if (how.bits == 32) return whole;
        // a shorter exponent and fraction, for normal numbers that both can hold
        const int fraction = how.bits == 24 ? 16 : 10;
        const int bias = how.bits == 24 ? 63 : 15;
        if (sample == 0) return 0;
        const auto exponent = (whole >> 23 & 0xFFU) - 127U + static_cast<unsigned>(bias);
        return static_cast<std::uint64_t>(whole >> 31) << (how.bits - 1) |
               static_cast<std::uint64_t>(exponent) << fraction |
               (whole & 0x7F'FFFFU) >> (23 - fraction);
    }

    /// A strip or tile; beyond the image are zeros.
    std::string packed(const cv::Mat &samples, cv::Rect place, int plane,
                       const TiffPixels &how) const {
        const bool is_whole = how.bits % 8 == 0;
        std::string piece;
        for (int y = place.y; y < place.y + place.height; ++y) {
            std::string row;
            int filled = 0; // bits of the last byte
            for (int x = place.x; x < place.x + place.width; ++x)
                for (int c = 0; c < samples.channels(); ++c) {
                    if (how.has_planes && c != plane) continue;
                    const bool is_there = x < samples.cols && y < samples.rows;
                    const auto bits = is_there ? pattern(samples.ptr<double>(y, x)[c], how) : 0;
                    if (is_whole) row += ordered(bits, how.bits / 8);
                    for (int i = is_whole ? 0 : how.bits; i-- > 0;) {
                        if (filled == 0) row += '\0';
                        row.back() =
                            static_cast<char>(row.back() | (bits >> i & 1) << (7 - filled));
                        filled = (filled + 1) % 8;
                    }
                }
            piece += row;
        }
        return piece;
    }

    bool is_little_;
    bool is_big_;
    std::string file_;
};

/// A TIFF of one page.
inline std::string make_tiff(const cv::Mat &samples, const TiffPixels &how = {},
                             const std::vector<TiffTag> &more = {}, bool is_little = true,
                             bool is_big = false) {
    TiffMaker maker(is_little, is_big);
    auto tags = maker.page(samples, how);
    tags.insert(tags.end(), more.begin(), more.end());
    return maker.file(maker.add_directory(tags));
}

/// 8-bit blue, green and red, or grey, as samples of a TIFF: times `scale`, plus `offset`.
inline cv::Mat tiff_samples(const cv::Mat &image, double scale = 1, double offset = 0) {
    cv::Mat ordered = image.clone();
    if (image.channels() == 3) cv::cvtColor(image, ordered, cv::COLOR_BGR2RGB);
    if (image.channels() == 4) cv::cvtColor(image, ordered, cv::COLOR_BGRA2RGBA);
    cv::Mat samples;
    ordered.convertTo(samples, CV_64F, scale, offset);
    return samples;
}
