#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// The place of a word in its image, rounded to 5 bytes:
///
///     x       12 bits: the column (x + 0.5) · width / 4096 − 0.5 of the image that was described
///     y       12 bits: the same of its rows and its height
///     scale    8 bits: 0.5 · 2^((scale + 0.5) / 24) pixels
///     angle    8 bits: angle · 2π / 256 radians
///
/// Mirrored in width: x becomes 4095 − x, and angle 128 − angle (mod 256).
struct Place {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    std::uint8_t scale = 0;
    std::uint8_t angle = 0;

    bool operator==(const Place &) const = default;
};

/// @param width  of the image that the keypoint was found in
Place place_of(const Keypoint &keypoint, int width, int height);

/// The keypoint in the middle of what the place stands for.
Keypoint keypoint_at(const Place &place, int width, int height);

inline constexpr std::size_t place_bytes = 5;

void append_place(std::string &bytes, const Place &place);
/// REQUIRES: at least place_bytes
Place read_place(std::string_view bytes);

} // namespace bowhist
