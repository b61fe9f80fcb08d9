// JPEG: FF D8, then segments of FF, marker, 16-bit length (which counts itself), payload.
//
// Entropy-coded data follows each start of scan without a length; in it FF is always followed by a
// stuffed 00 or a restart marker. Looking for the next marker therefore passes over it, as libjpeg
// passes over rubbish between segments. What lies in a segment, a thumbnail say, is never looked
// at.

#include <bowhist/pictures/exif.hpp>
#include <bowhist/pictures/picture_formats.hpp>

#include <algorithm>
#include <bitset>
#include <optional>

namespace bowhist {
namespace {

constexpr std::uint8_t temporary = 0x01;
constexpr std::uint8_t end_of_image = 0xD9;
constexpr std::uint8_t start_of_scan = 0xDA;
constexpr std::uint8_t app1 = 0xE1; // Exif, XMP and others

bool is_start_of_frame(std::uint8_t marker) {
    const bool other_use = marker == 0xC4 || marker == 0xC8 || marker == 0xCC; // DHT, JPG, DAC
    return marker >= 0xC0 && marker <= 0xCF && !other_use;
}

bool stands_alone(std::uint8_t marker) {
    return marker == temporary || (marker >= 0xD0 && marker <= 0xD7); // restarts
}

/// Coefficients of 16 bits, as many as there are samples in the components of the frame at `at`.
std::uint64_t coefficient_bytes(const Bytes &file, std::uint64_t at, const PictureHeader &header) {
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

} // namespace

PictureHeader jpeg_header(const Bytes &file) {
    PictureHeader header{.scans = 0, .passes = 0, .complete = false};
    const auto bytes = file.text(0, file.size());
    std::uint64_t coefficients = 0;
    bool holds_all = false; // libjpeg then holds all coefficients until the end
    int components = 0;
    std::optional<int> orientation; // by the first segment that says it
    std::bitset<256> seen;          // of the components, by their names
    std::uint64_t at = 2;
    while (const auto marker = next_marker(file, bytes, at)) {
        if (stands_alone(*marker)) continue;
        if (*marker == end_of_image) {
            header.complete =
                header.scans > 0 && seen.count() >= static_cast<std::size_t>(components);
            break;
        }
        const auto length = file.big(at, 2);
        if (length < 2 || !file.holds(at, length)) break;
        if (*marker == app1 && !orientation && header.scans == 0)
            orientation = exif_orientation(file.text(at + 2, length - 2));
        if (is_start_of_frame(*marker) && header.width == 0) {
            header.height = file.big(at + 3, 2);
            header.width = file.big(at + 5, 2);
            header.decoder_bytes = header.width * header.height;
            coefficients = coefficient_bytes(file, at, header);
            components = file.at(at + 7);
            holds_all = *marker == 0xC2 || *marker == 0xCA;
            header.is_arithmetic = *marker >= 0xC9;
        }
        if (*marker == start_of_scan) {
            ++header.scans;
            header.passes += file.at(at + 2);
            holds_all = holds_all || file.at(at + 2) < components;
            for (int i = 0; i < file.at(at + 2); ++i) seen.set(file.at(at + 3 + 2 * i));
        }
        at += length;
    }
    header.orientation = orientation.value_or(1);
    if (holds_all || header.scans > 1) header.decoder_bytes += coefficients;
    return header;
}

} // namespace bowhist
