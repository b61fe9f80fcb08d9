#include <bowhist/pictures/enlarge.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {
namespace {

constexpr int weight_bits = 11;
constexpr int one = 1 << weight_bits;

/// The place of a new pixel among old ones: at one of them, or between it and the next.
struct Place {
    int first;
    int second; ///< the next, or the first again at an edge
    int weight; ///< of the second, in 2048ths
};

/// Rounded, halves to even, so that both neighbors' weights are rounded alike.
int rounded_share(std::int64_t part, std::int64_t whole) {
    const std::int64_t down = part * one / whole;
    const std::int64_t twice_left = 2 * (part * one % whole);
    const bool is_up = twice_left > whole || (twice_left == whole && down % 2 != 0);
    return static_cast<int>(down) + (is_up ? 1 : 0);
}

/// Pixel i of the new ones has its middle at (i + 1/2) from / to - 1/2 among the old ones.
Place place_of(int i, int from, int to) {
    const std::int64_t whole = std::int64_t{2} * to;
    const std::int64_t at = (std::int64_t{2} * i + 1) * from - to; // in parts of `whole`
    if (at <= 0) return {0, 0, 0};
    const auto first = static_cast<int>(at / whole);
    if (first >= from - 1) return {from - 1, from - 1, 0};
    return {first, first + 1, rounded_share(at % whole, whole)};
}

std::vector<Place> places(int from, int to) {
    std::vector<Place> all;
    all.reserve(static_cast<std::size_t>(to));
    for (int i = 0; i < to; ++i) all.push_back(place_of(i, from, to));
    return all;
}

/// The old rows in new columns, two of them at a time, in 2048ths.
class WideRows {
  public:
    WideRows(const Raster &image, int width) : image_(image), columns_(places(image.width, width)) {
        for (Row &row : rows_)
            row.samples.resize(static_cast<std::size_t>(width) *
                               static_cast<std::size_t>(image.color));
    }

    /// Valid until the next but one is asked for.
    const std::vector<int> &row(int number) {
        Row &kept = rows_[static_cast<std::size_t>(number % 2)];
        if (kept.number != number) fill(kept, number);
        return kept.samples;
    }

  private:
    struct Row {
        int number = -1;
        std::vector<int> samples = {};
    };

    void fill(Row &row, int number) {
        const auto channels = static_cast<std::ptrdiff_t>(image_.color);
        const std::uint8_t *from =
            image_.samples.data() + static_cast<std::size_t>(number) * image_.row_samples();
        int *to = row.samples.data();
        for (const Place &place : columns_)
            for (std::ptrdiff_t channel = 0; channel < channels; ++channel)
                *to++ = from[place.first * channels + channel] * (one - place.weight) +
                        from[place.second * channels + channel] * place.weight;
        row.number = number;
    }

    const Raster &image_;
    std::vector<Place> columns_;
    std::array<Row, 2> rows_;
};

} // namespace

PixelSize enlarged(PixelSize full, int side) {
    const int longer = std::max(full.width, full.height);
    if (side <= 0 || longer >= side) return full;
    const auto grown = [&](int length) {
        const auto twice = std::uint64_t{2} * static_cast<std::uint64_t>(length) *
                           static_cast<std::uint64_t>(side);
        return static_cast<int>((twice + static_cast<std::uint64_t>(longer)) /
                                (std::uint64_t{2} * static_cast<std::uint64_t>(longer)));
    };
    return {grown(full.width), grown(full.height)};
}

Raster enlarge(const Raster &image, PixelSize to) {
    constexpr int bits = 2 * weight_bits; // 255 << 22 fits an int, and half of 1 << 22, too
    constexpr int half = 1 << (bits - 1);
    Raster result{to.width, to.height, image.color, {}};
    result.samples.resize(result.row_samples() * static_cast<std::size_t>(to.height));
    auto *next = result.samples.data();
    WideRows rows(image, to.width);
    for (const Place &place : places(image.height, to.height)) {
        const std::vector<int> &upper = rows.row(place.first);
        const std::vector<int> &lower = rows.row(place.second);
        for (std::size_t i = 0; i < upper.size(); ++i) {
            const int sum = upper[i] * (one - place.weight) + lower[i] * place.weight;
            *next++ = static_cast<std::uint8_t>((sum + half) >> bits);
        }
    }
    return result;
}

} // namespace bowhist
