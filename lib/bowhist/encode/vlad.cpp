#include <bowhist/encode/tally.hpp>
#include <bowhist/encode/vlad.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bowhist {
namespace {

/// Adding and subtracting it rounds float64 to whole numbers.
constexpr double rounder = 0x1.8p52;

double whole(float value, double scale) {
    constexpr double most = 0x1p26;
    const double scaled = double{value} * scale;
    const double bounded = scaled < most ? (scaled > -most ? scaled : -most) : most; // NaN: most
    return (bounded + rounder) - rounder;
}

BOWHIST_FOR_EACH_CPU
void add_row(const float *__restrict row, std::size_t dimensions, double scale,
             double *__restrict sums) {
    for (std::size_t i = 0; i < dimensions; ++i) sums[i] += whole(row[i], scale);
}

/// A word's part to unit length, then signed square roots. @return the sum of their squares
double finish_part(std::span<double> part) {
    double squares = 0;
    for (const double value : part) squares += value * value;
    if (squares == 0) return 0;
    const double length = std::sqrt(squares);
    double sum = 0;
    for (double &value : part) {
        const double share = std::abs(value) / length;
        sum += share;
        value = std::copysign(std::sqrt(share), value);
    }
    return sum;
}

} // namespace

int vlad_exponent(float largest) {
    constexpr int bits = 20;
    int exponent = 0;
    std::frexp(largest, &exponent); // 2^exponent is just above
    return largest > 0 && std::isfinite(largest) ? bits - exponent : 0;
}

VladEncoder::VladEncoder(const Vocabulary &words, int exponent)
    : dimensions_(words.dimensions), scale_(std::ldexp(1.0, exponent)) {
    const DefaultFloats floats;
    for (const float value : words.values) words_.push_back(whole(value, scale_));
}

std::vector<float> VladEncoder::encode(std::span<const float> rows,
                                       std::span<const std::int32_t> words) const {
    const DefaultFloats floats;
    std::vector<double> sums(words_.size());
    std::vector<double> counts(words_.size() / dimensions_);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto word = static_cast<std::size_t>(words[i]);
        add_row(rows.data() + i * dimensions_, dimensions_, scale_,
                sums.data() + word * dimensions_);
        counts[word] += 1;
    }
    return finish(std::move(sums), counts);
}

std::vector<float> VladEncoder::encode(std::span<const std::uint32_t> cell) const {
    const DefaultFloats floats;
    const std::size_t k = words_.size() / dimensions_;
    const std::vector<double> counts(cell.begin(), cell.begin() + static_cast<std::ptrdiff_t>(k));
    std::vector<double> sums(words_.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto *const halves = &cell[k + 2 * i];
        const std::uint64_t sum = std::uint64_t{halves[1]} << 32 | halves[0];
        sums[i] = static_cast<double>(static_cast<std::int64_t>(sum) -
                                      tally_bias * cell[i / dimensions_]);
    }
    return finish(std::move(sums), counts);
}

/// @param sums  of the rows in whole numbers
std::vector<float> VladEncoder::finish(std::vector<double> sums,
                                       std::span<const double> counts) const {
    double squares = 0;
    for (std::size_t word = 0; word < counts.size(); ++word) {
        const auto part = std::span(sums).subspan(word * dimensions_, dimensions_);
        for (std::size_t i = 0; i < dimensions_; ++i)
            part[i] -= counts[word] * words_[word * dimensions_ + i];
        squares += finish_part(part);
    }
    std::vector<float> row(sums.size());
    if (squares == 0) return row;
    const double length = std::sqrt(squares);
    std::ranges::transform(sums, row.begin(),
                           [&](double value) { return static_cast<float>(value / length); });
    return row;
}

std::vector<std::int16_t> whole_row(std::span<const float> row) {
    const DefaultFloats floats;
    std::vector<std::int16_t> values(row.size());
    std::ranges::transform(row, values.begin(), [](float value) {
        const double scaled = std::clamp(double{value}, -1.0, 1.0) * WholeRows::unit;
        return static_cast<std::int16_t>((scaled + rounder) - rounder);
    });
    return values;
}

} // namespace bowhist
