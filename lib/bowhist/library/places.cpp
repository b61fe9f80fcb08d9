#include <bowhist/library/places.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace bowhist {
namespace {

constexpr int cells = 4096;
constexpr int scales = 256;
constexpr int angles = 256;
constexpr double smallest_scale = 0.5;
constexpr double step = 1.0293022366434920; // 2^(1/24)

/// The least scale of each byte, by multiplications alone: the same on every machine.
std::array<double, scales> make_scale_table() {
    std::array<double, scales> table{};
    double scale = smallest_scale;
    for (double &entry : table) {
        entry = scale;
        scale *= step;
    }
    return table;
}

const std::array<double, scales> &scale_table() {
    static const std::array<double, scales> table = make_scale_table();
    return table;
}

std::uint16_t cell_of(double position, int length) {
    const double cell = std::floor((position + 0.5) * cells / length);
    return static_cast<std::uint16_t>(std::clamp(cell, 0.0, cells - 1.0));
}

std::uint8_t scale_of(double scale) {
    const auto &table = scale_table();
    const auto above = std::upper_bound(table.begin(), table.end(), scale);
    return static_cast<std::uint8_t>(std::max<std::ptrdiff_t>(above - table.begin() - 1, 0));
}

std::uint8_t angle_of(double radians) {
    const double turn = std::floor(radians * (angles / (2 * std::numbers::pi)) + 0.5);
    return static_cast<std::uint8_t>(static_cast<int>(turn) & (angles - 1));
}

} // namespace

Place place_of(const Keypoint &keypoint, int width, int height) {
    return {cell_of(keypoint.x, width), cell_of(keypoint.y, height), scale_of(keypoint.scale),
            angle_of(keypoint.orientation)};
}

Keypoint keypoint_at(const Place &place, int width, int height) {
    const auto position = [](int cell, int length) {
        return static_cast<float>((cell + 0.5) * length / cells - 0.5);
    };
    constexpr double half_step = 1.0145453349375237; // 2^(1/48)
    return {.x = position(place.x, width),
            .y = position(place.y, height),
            .scale = static_cast<float>(scale_table().at(place.scale) * half_step),
            .orientation = static_cast<float>(place.angle * (2 * std::numbers::pi / angles))};
}

void append_place(std::string &bytes, const Place &place) {
    const auto add = [&bytes](unsigned value) { bytes += static_cast<char>(value & 0xffU); };
    add(place.x);
    add((place.x >> 8U) | ((place.y & 0xfU) << 4U));
    add(place.y >> 4U);
    add(place.scale);
    add(place.angle);
}

Place read_place(std::string_view bytes) {
    const auto byte = [bytes](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(bytes[i]));
    };
    return {static_cast<std::uint16_t>(byte(0) | ((byte(1) & 0xfU) << 8U)),
            static_cast<std::uint16_t>((byte(1) >> 4U) | (byte(2) << 4U)),
            static_cast<std::uint8_t>(byte(3)), static_cast<std::uint8_t>(byte(4))};
}

} // namespace bowhist
