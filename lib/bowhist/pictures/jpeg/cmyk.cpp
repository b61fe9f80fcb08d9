#include <bowhist/pictures/jpeg/cmyk.hpp>

namespace bowhist {
namespace {

// The weights of red, green and blue in grey, in 1/2^14.
constexpr int bits = 14;
constexpr int red_weight = 4899;   // 0.299
constexpr int green_weight = 9617; // 0.587
constexpr int blue_weight = (1 << bits) - red_weight - green_weight;

} // namespace

void convert_cmyk(std::vector<std::uint8_t> &row, Colour colour) {
    auto *to = row.data();
    for (std::size_t i = 0; i + 4 <= row.size(); i += 4) {
        const int black = row[i + 3];
        const auto light = [&](int ink) { return black - ((255 - ink) * black >> 8); };
        const int red = light(row[i]);
        const int green = light(row[i + 1]);
        const int blue = light(row[i + 2]);
        if (colour == Colour::grey) {
            const int sum = blue * blue_weight + green * green_weight + red * red_weight;
            *to++ = static_cast<std::uint8_t>((sum + (1 << (bits - 1))) >> bits);
        } else {
            *to++ = static_cast<std::uint8_t>(blue);
            *to++ = static_cast<std::uint8_t>(green);
            *to++ = static_cast<std::uint8_t>(red);
        }
    }
}

} // namespace bowhist
