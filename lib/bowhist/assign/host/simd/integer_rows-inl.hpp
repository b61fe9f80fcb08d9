// Rows rounded to integers, for a block at a time. Included once for each target.
#include <bowhist/assign/host/simd/integer_words.hpp>
#include <bowhist/assign/host/simd/walk-inl.hpp>
#include <bowhist/core/round_up.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>

#if defined(BOWHIST_INTEGER_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOWHIST_INTEGER_ROWS_INL
#undef BOWHIST_INTEGER_ROWS_INL
#else
#define BOWHIST_INTEGER_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {

constexpr std::size_t rows_a_block = 48;

/// Rows of a block in integers. They share a scale, for the longest; each has its own margin.
struct IntegerRows {
    hwy::AlignedFreeUniquePtr<std::int32_t[]> pairs; ///< [row][pair of dimensions]
    std::array<const float *, rows_a_block> source;
    std::array<double, rows_a_block> margin;
    float scale = 0; ///< from a row to its integers
};

/// At least the norm of x.
HWY_INLINE double norm_at_most(const float *x, std::size_t dimensions) {
    const hn::ScalableTag<float> d;
    return static_cast<double>(norm(d, x, dimensions)) * 1.001 +
           0x1p-56; // for squares that underflow
}

/// Rounds scale·x to integers. Returns at least the norm of what that changed.
HWY_INLINE double round_row(const float *x, std::size_t dimensions, float scale,
                            std::int32_t *pairs) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<std::int16_t, hn::ScalableTag<float>> shorts;
    constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<float>());
    auto *values = reinterpret_cast<std::int16_t *>(pairs);
    auto squares = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= dimensions; i += lanes) {
        const auto scaled = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, scale));
        const auto rounded = hn::NearestInt(scaled);
        const auto change = hn::Sub(scaled, hn::ConvertTo(d, rounded));
        squares = hn::MulAdd(change, change, squares);
        hn::StoreU(hn::DemoteTo(shorts, rounded), shorts, values + i);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, squares));
    for (; i < dimensions; ++i) {
        const float scaled = x[i] * scale;
        values[i] = static_cast<std::int16_t>(std::lrint(scaled));
        const float change = scaled - static_cast<float>(values[i]);
        sum += change * change;
    }
    if (dimensions % 2 != 0) values[dimensions] = 0;
    return static_cast<double>(std::sqrt(sum)) * 1.001 + 0x1p-8; // scaling rounds, too
}

/// The lead that proves a row's best integer score (docs/words.md). The part that rows of one scale
/// share is computed once.
class IntegerMargin {
  public:
    IntegerMargin(const IntegerWords &words, double scale)
        : residual_of_words_(words.residual), length_of_words_(words.scale * words.longest),
          scale_(scale) {
        const double c = length_of_words_;
        const double start = c * (scale * words.longest) / 2;
        const double rule = 1.001 * 0x1p-53 * static_cast<double>(words.dimensions + 4);
        quadratic_ = rule * words.scale / scale;
        linear_ = rule * 2 * c;
        constant_ = 2.002 * (start * 0x1p-22 + 1) + rule * (c * c * scale / words.scale) +
                    2.0 * words.number_mask + 2;
        planted_ = words.bound_scale;
    }

    double operator()(double norm, double residual) const {
        const double x = scale_ * norm;
        const double error = (x + residual) * residual_of_words_ + residual * length_of_words_;
        return planted_ * (2.002 * error + x * (x * quadratic_ + linear_) + constant_);
    }

  private:
    double residual_of_words_;
    double length_of_words_;
    double scale_;
    double quadratic_;
    double linear_;
    double constant_;
    double planted_; ///< tests only: less than one
};

/// Rounds `count` rows, and fills up with zeros to a multiple of `multiple`.
/// @return whether they can be: not where they are too large or too small
inline bool round_rows(const IntegerWords &words, const float *const *rows, std::size_t count,
                       std::size_t multiple, IntegerRows &integers) {
    std::array<double, rows_a_block> norms;
    double longest = 0;
    for (std::size_t slot = 0; slot < count; ++slot) {
        integers.source[slot] = rows[slot];
        norms[slot] = norm_at_most(rows[slot], words.dimensions);
        longest = std::max(longest, norms[slot]);
    }
    const double scale = std::min(
        longest_integer_row / longest,
        largest_integer_score / (words.scale * words.longest * (longest + words.longest / 2)));
    if (!usable_integer_scale(scale)) return false;
    integers.scale = static_cast<float>(scale);
    const std::size_t pairs = words.pairs.steps();
    const IntegerMargin margin(words, integers.scale);
    for (std::size_t slot = 0; slot < count; ++slot) {
        const double residual = round_row(rows[slot], words.dimensions, integers.scale,
                                          integers.pairs.get() + slot * pairs);
        integers.margin[slot] = margin(norms[slot], residual);
    }
    const std::size_t slots = round_up(count, multiple);
    std::fill_n(integers.source.begin() + static_cast<std::ptrdiff_t>(count), slots - count,
                integers.source[0]);
    std::fill_n(integers.pairs.get() + count * pairs, (slots - count) * pairs, 0);
    return true;
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#endif
