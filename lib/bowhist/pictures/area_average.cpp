#include <bowhist/pictures/area_average.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bowhist {
namespace {

constexpr std::size_t narrow = 3; ///< shares of a column at a ratio of less than 2

/// Rounded, halves to even: a sum of this size has no bits left for a fraction. Vectorized, which a
/// call of std::nearbyint is not.
std::uint8_t to_byte(float value) {
    constexpr float no_fraction = 1 << 23;
    return static_cast<std::uint8_t>(std::min(value + no_fraction - no_fraction, 255.0F));
}

double ratio(int from, int to) {
    return 1.0 / (static_cast<double>(to) / from); // rounded as OpenCV rounds it
}

/// The ratio where it is a whole number, else 0.
int whole_ratio(int from, int to) {
    const double exact = ratio(from, to);
    const auto whole = static_cast<int>(std::lround(exact));
    return std::abs(exact - whole) < std::numeric_limits<double>::epsilon() ? whole : 0;
}

} // namespace

PixelSize boxed(PixelSize full, int side) {
    const int longer = std::max(full.width, full.height);
    if (side <= 0 || longer <= side) return full;
    const auto scaled = [&](int length) {
        const double exact = static_cast<double>(length) * side / longer;
        return std::max(1, static_cast<int>(std::lround(exact)));
    };
    return {scaled(full.width), scaled(full.height)};
}

PixelSize shrunk(PixelSize full, int side) {
    const auto [shorter, longer] = std::minmax(full.width, full.height);
    const double ratio_of_sides = static_cast<double>(longer) / shorter;
    constexpr double least = 6; // of a strip; its short side keeps a sixth of `side`
    if (side <= 0 || longer <= side || ratio_of_sides <= least) return boxed(full, side);
    const double exact = side / std::max(least, std::sqrt(ratio_of_sides)); // of the short side
    if (exact >= shorter) return full;
    const auto most = static_cast<double>(side) * side; // pixels
    const double short_side = std::max(1.0, std::floor(exact));
    const double long_side = std::floor(std::min(exact * ratio_of_sides, most / short_side));
    const auto left = [&](int length) {
        return static_cast<int>(length == shorter ? short_side : long_side);
    };
    return {left(full.width), left(full.height)};
}

AreaAverage::AreaAverage(PixelSize from, PixelSize to, Color color)
    : result_{to.width, to.height, color, {}}, block_{whole_ratio(from.width, to.width),
                                                      whole_ratio(from.height, to.height)} {
    result_.samples.resize(result_.row_samples() * to.height);
    if (block_.width > 0 && block_.height > 0) {
        totals_.resize(result_.row_samples());
        return;
    }
    block_ = {};
    columns_ = columns(from.width, to.width);
    samples_.resize(static_cast<std::size_t>(from.width) * static_cast<std::size_t>(color));
    rows_ = shares(from.height, to.height);
    row_.resize(result_.row_samples());
    averages_.resize(result_.row_samples());
}

std::vector<AreaAverage::Share> AreaAverage::shares(int from, int to) {
    constexpr double too_narrow = 1e-3; // a sliver of an old pixel; OpenCV leaves it out
    const double scale = ratio(from, to);
    std::vector<Share> result;
    for (int i = 0; i < to; ++i) {
        const double begin = i * scale;
        const double end = begin + scale;
        const double covered = std::min(scale, from - begin);
        const int last = std::min(static_cast<int>(std::floor(end)), from - 1);
        const int first = std::min(static_cast<int>(std::ceil(begin)), last);
        const auto share = [&](int pixel, double part) {
            result.push_back({i, pixel, static_cast<float>(part / covered)});
        };
        if (first - begin > too_narrow) share(first - 1, first - begin);
        for (int pixel = first; pixel < last; ++pixel) share(pixel, 1.0);
        if (end - last > too_narrow) share(last, std::min({end - last, 1.0, covered}));
    }
    return result;
}

AreaAverage::Columns AreaAverage::columns(int from, int to) {
    const std::vector<Share> all = shares(from, to);
    std::vector<int> counts(to);
    for (const Share &share : all) ++counts[share.to];
    Columns result;
    const int most = std::max(std::ranges::max(counts), std::min<int>(narrow, from));
    result.shares = static_cast<std::size_t>(most);
    result.weights.resize(result.shares * to);
    for (const Share &share : all) {
        const auto column = static_cast<std::size_t>(share.to);
        if (result.first.size() == column)
            result.first.push_back(std::min(share.from, from - most));
        result.weights[column * result.shares + share.from - result.first[column]] = share.weight;
    }
    return result;
}

std::uint8_t *AreaAverage::result_row(int y) {
    return result_.samples.data() + y * result_.row_samples();
}

void AreaAverage::add(const std::uint8_t *row) {
    if (block_ == PixelSize{1, 1})
        std::copy_n(row, result_.row_samples(), result_row(next_row_));
    else if (block_ != PixelSize{})
        add_whole(row);
    else
        add_weighted(row);
    ++next_row_;
}

/// Blocks of whole pixels are summed in integers. Halves are rounded up in blocks of 2x2, and to
/// even in all others, as in OpenCV.
void AreaAverage::add_whole(const std::uint8_t *row) {
    const auto channels = static_cast<std::size_t>(result_.color);
    for (std::size_t i = 0; i < totals_.size(); ++i) {
        const std::uint8_t *sample = row + i / channels * channels * block_.width + i % channels;
        for (int x = 0; x < block_.width; ++x) totals_[i] += sample[x * channels];
    }
    if ((next_row_ + 1) % block_.height != 0) return;
    const float share = 1.0F / static_cast<float>(block_.width * block_.height);
    std::uint8_t *to = result_row(next_row_ / block_.height);
    for (std::size_t i = 0; i < totals_.size(); ++i)
        to[i] = block_ == PixelSize{2, 2} ? static_cast<std::uint8_t>((totals_[i] + 2) >> 2)
                                          : to_byte(static_cast<float>(totals_[i]) * share);
    std::ranges::fill(totals_, 0);
}

void AreaAverage::average_across(const std::uint8_t *row) {
    std::copy_n(row, samples_.size(), samples_.data());
    const auto average = [&](auto channels, auto shares) {
        const float *weight = columns_.weights.data();
        float *to = row_.data();
        for (const int first : columns_.first) {
            const float *from = samples_.data() + first * channels;
            for (std::size_t channel = 0; channel < channels; ++channel) {
                float sum = 0;
                for (std::size_t i = 0; i < shares; ++i)
                    sum += from[i * channels + channel] * weight[i];
                *to++ = sum;
            }
            weight += shares;
        }
    };
    // Numbers that the compiler knows take a third of the time. A JPEG's are these.
    const auto channels = static_cast<std::size_t>(result_.color);
    if (channels == 1 && columns_.shares == narrow)
        average(std::integral_constant<std::size_t, 1>(),
                std::integral_constant<std::size_t, narrow>());
    else
        average(channels, columns_.shares);
}

void AreaAverage::add_weighted(const std::uint8_t *row) {
    average_across(row);
    for (; next_share_ < rows_.size() && rows_[next_share_].from == next_row_; ++next_share_) {
        const Share &share = rows_[next_share_];
        for (std::size_t i = 0; i < row_.size(); ++i) averages_[i] += row_[i] * share.weight;
        const bool is_last =
            next_share_ + 1 == rows_.size() || rows_[next_share_ + 1].to != share.to;
        if (!is_last) continue;
        std::ranges::transform(averages_, result_row(share.to), to_byte);
        std::ranges::fill(averages_, 0.0F);
    }
}

Raster shrink(const Raster &image, PixelSize to) {
    AreaAverage average({image.width, image.height}, to, image.color);
    for (int y = 0; y < image.height; ++y)
        average.add(image.samples.data() + y * image.row_samples());
    return average.take();
}

} // namespace bowhist
