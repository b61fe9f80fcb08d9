// JPEG: FF D8, then segments of FF, marker, 16-bit length (which counts itself), payload.
//
// Entropy-coded data follows each start of scan without a length; in it FF is always followed by a
// stuffed 00 or a restart marker. Looking for the next marker therefore passes over it, as libjpeg
// passes over rubbish between segments. The content of a segment, a thumbnail say, is never looked
// at.
//
// The image ends at its end of image, or at any other marker behind the scan that brings the last
// bits of its coefficients: cameras leave the end out and append what they like.

#include <bowhist/pictures/header/exif.hpp>
#include <bowhist/pictures/header/jpeg_segments.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <vector>

namespace bowhist {
namespace {

constexpr std::uint8_t temporary = 0x01;
constexpr std::uint8_t end_of_image = 0xD9;
constexpr std::uint8_t start_of_scan = 0xDA;
constexpr std::uint8_t app1 = 0xE1; // Exif, XMP and others

// The rows that libjpeg and the average hold of an image that is read row by row: a row of blocks
// of each component, a few rows of samples and of floats, in rows of bytes.
constexpr std::uint64_t held_rows = 128;

bool stands_alone(std::uint8_t marker) {
    return marker == temporary || (marker >= 0xD0 && marker <= 0xD7); // restarts
}

/// Coefficients of 16 bits, as many as there are samples in the components of the frame at `at`.
std::uint64_t coefficient_bytes(const Bytes &file, std::uint64_t at, const ImageHeader &header) {
    std::uint64_t samples = 0;
    std::uint64_t widest = 1;
    std::uint64_t highest = 1;
    const int components = file.at(at + 7);
    for (int i = 0; i < components; ++i) {
        const std::uint64_t across = file.at(at + 9 + 3 * i) >> 4;
        const std::uint64_t down = file.at(at + 9 + 3 * i) & 0xF;
        samples += across * down;
        widest = std::max(widest, across);
        highest = std::max(highest, down);
    }
    return header.width * header.height * 2 * samples / (widest * highest);
}

/// The next marker's byte; `at` then lies behind it. Nothing when the file ends before.
std::optional<std::uint8_t> next_marker(const Bytes &file, std::string_view bytes,
                                        std::uint64_t &at) {
    while (at < file.size()) {
        const auto prefix = bytes.find('\xFF', at);
        if (prefix == std::string_view::npos) break;
        at = prefix + 1;
        while (file.at(at) == 0xFF) ++at; // fill bytes
        if (at >= file.size()) break;
        const auto marker = file.at(at++);
        if (marker != 0) return marker;
    }
    return std::nullopt;
}

/// The bits that the scans have brought so far, by the names of the components.
class ScannedBits {
  public:
    /// Takes the frame's segment, whose length is at `at`.
    void expect(const Bytes &file, std::uint64_t at, bool is_progressive) {
        is_progressive_ = is_progressive;
        for (int i = 0; i < file.at(at + 7); ++i) names_.push_back(file.at(at + 8 + 3 * i));
    }

    /// Takes a scan's segment. A scan of a sequential image brings all bits.
    void add(const Bytes &file, std::uint64_t at) {
        const int components = file.at(at + 2);
        const auto spectrum = at + 3 + 2 * components; // first and last coefficient, bits
        const int first = is_progressive_ ? file.at(spectrum) : 0;
        const int last = is_progressive_ ? std::min<int>(file.at(spectrum + 1), 63) : 63;
        const bool is_exact = !is_progressive_ || (file.at(spectrum + 2) & 0xF) == 0;
        for (int i = 0; i < components; ++i) {
            const auto name = file.at(at + 3 + 2 * i);
            seen_.set(name);
            for (int k = first; k <= last; ++k) exact_[name].set(k, is_exact);
        }
    }

    bool has_all_components() const { return seen_.count() >= names_.size(); }
    bool has_all_bits() const {
        return !names_.empty() &&
               std::ranges::all_of(names_, [&](std::uint8_t name) { return exact_[name].all(); });
    }

  private:
    bool is_progressive_ = false;
    std::vector<std::uint8_t> names_;
    std::bitset<256> seen_;
    std::array<std::bitset<64>, 256> exact_; ///< its coefficients that lack no bits
};

} // namespace

ImageHeader jpeg_header(const Bytes &file) {
    ImageHeader header{.scans = 0, .passes = 0, .has_end = false, .data_end = file.size()};
    const auto bytes = file.text(0, file.size());
    std::uint64_t coefficients = 0;
    bool holds_all = false;         // libjpeg then holds all coefficients until the end
    std::optional<int> orientation; // by the first segment that says it
    ScannedBits scanned;
    std::uint64_t at = 2;
    while (const auto marker = next_marker(file, bytes, at)) {
        if (stands_alone(*marker)) continue;
        header.has_end = *marker == end_of_image;
        if (header.has_end || scanned.has_all_bits()) {
            header.data_end = header.has_end ? at : at - 2;
            break;
        }
        const auto length = file.big(at, 2);
        if (length < 2 || !file.holds(at, length)) break;
        if (*marker == app1 && !orientation && header.scans == 0)
            orientation = exif_orientation(file.text(at + 2, length - 2));
        if (is_start_of_frame(*marker) && header.width == 0) {
            header.height = file.big(at + 3, 2);
            header.width = file.big(at + 5, 2);
            header.decoder_bytes = header.width * std::min(header.height, held_rows);
            coefficients = coefficient_bytes(file, at, header);
            holds_all = *marker == 0xC2 || *marker == 0xCA;
            scanned.expect(file, at, holds_all);
            header.is_arithmetic = *marker >= 0xC9;
        }
        if (*marker == start_of_scan) {
            ++header.scans;
            header.passes += file.at(at + 2);
            scanned.add(file, at);
            holds_all = holds_all || !scanned.has_all_components();
        }
        at += length;
    }
    // An arithmetic decoder takes missing bytes for zeros.
    const bool may_end = header.has_end || (scanned.has_all_bits() && !header.is_arithmetic);
    header.complete = header.scans > 0 && scanned.has_all_components() && may_end;
    header.orientation = orientation.value_or(1);
    if (holds_all || header.scans > 1) header.decoder_bytes += coefficients;
    return header;
}

} // namespace bowhist
