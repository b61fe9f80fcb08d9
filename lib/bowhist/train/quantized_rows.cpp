// Distances of integers by the host's vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/train/quantized_rows.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/nearest.hpp>
#include <bowhist/train/quantized_rows.hpp>

#include <hwy/highway.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <numeric>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, QuantizedRows::block>;
using Whole = hn::RebindToSigned<D>;

constexpr std::size_t most = QuantizedRows::most_others;

/// Squared distances of a block's rows to all others, as |x|² + |c|² - 2x·c: [other][row].
HWY_INLINE void compare_block(const std::int16_t *rows, const float *squares,
                              const QuantizedRows::Others &others, std::size_t dimensions,
                              float *distances) {
    const D d;
    const Whole whole;
    const hn::Rebind<std::int16_t, D> half;
    for (std::size_t lane = 0; lane < QuantizedRows::block; lane += hn::Lanes(d)) {
        hn::Vec<D> sums[most];
        const auto square = hn::LoadU(d, squares + lane);
        for (std::size_t c = 0; c < most; ++c)
            sums[c] = hn::Add(square, hn::Set(d, others.squares[c]));
        const float *other = others.values.data();
        for (std::size_t i = 0; i < dimensions; ++i, other += most) {
            const auto row = hn::LoadU(half, rows + i * QuantizedRows::block + lane);
            const auto value = hn::ConvertTo(d, hn::PromoteTo(whole, row));
            for (std::size_t c = 0; c < most; ++c)
                sums[c] = hn::MulAdd(value, hn::Set(d, other[c]), sums[c]);
        }
        for (std::size_t c = 0; c < most; ++c)
            hn::StoreU(sums[c], d, distances + c * QuantizedRows::block + lane);
    }
}

/// For a chunk: it has so few blocks that 32 bits hold the sum of a lane.
/// @param gains  [other][lane]: how much nearer the others are
void compare_chunk(const std::int16_t *rows, const float *squares,
                   const QuantizedRows::Others &others, std::size_t dimensions,
                   const float *nearest, float *distances, std::int32_t *gains) {
    const D d;
    const Whole whole;
    for (std::size_t row = 0; row < QuantizedRows::chunk; row += QuantizedRows::block) {
        compare_block(rows + row * dimensions, squares + row, others, dimensions, distances);
        for (std::size_t lane = 0; lane < most * QuantizedRows::block; lane += hn::Lanes(d)) {
            const auto so_far = hn::LoadU(d, nearest + row + lane % QuantizedRows::block);
            const auto gain = hn::Max(hn::Sub(so_far, hn::LoadU(d, distances + lane)), hn::Zero(d));
            hn::StoreU(hn::Add(hn::LoadU(whole, gains + lane), hn::ConvertTo(whole, gain)), whole,
                       gains + lane);
        }
        distances += most * QuantizedRows::block;
    }
}

/// @param sums  [lane]: of the lowered
void lower_chunk(const float *distances, float *nearest, std::int32_t *sums) {
    const D d;
    const Whole whole;
    for (std::size_t row = 0; row < QuantizedRows::chunk; row += QuantizedRows::block) {
        for (std::size_t lane = 0; lane < QuantizedRows::block; lane += hn::Lanes(d)) {
            const auto least = hn::Min(hn::LoadU(d, nearest + row + lane),
                                       hn::LoadU(d, distances + row * most + lane));
            hn::StoreU(least, d, nearest + row + lane);
            hn::StoreU(hn::Add(hn::LoadU(whole, sums + lane), hn::ConvertTo(whole, least)), whole,
                       sums + lane);
        }
    }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(compare_chunk);
HWY_EXPORT(lower_chunk);

/// Adding and subtracting it rounds float64 to whole numbers; std::nearbyint is a call.
constexpr double rounder = 0x1.8p52;

/// The largest power of two that leaves the longest row, rounded, below 2^11.
double scale_for(double longest, std::size_t dimensions) {
    const double most = 2047 - std::sqrt(static_cast<double>(dimensions)) / 2;
    if (longest == 0) return 1;
    const int exponent = std::ilogb(most / longest);
    return std::ldexp(1.0, std::min(exponent, 1000));
}

} // namespace

QuantizedRows::QuantizedRows(const Descriptors &descriptors)
    : size_(descriptors.size()), dimensions_(descriptors.dimensions),
      values_(padded() * dimensions_), squares_(padded()) {
    const auto rows = tbb::blocked_range<std::size_t>(0, size_, chunk);
    const double longest = tbb::parallel_reduce(
        rows, 0.0,
        [&](const auto &range, double most) {
            const DefaultFloats floats; // of this thread
            for (std::size_t row = range.begin(); row < range.end(); ++row)
                most = std::max(most, std::sqrt(squared_norm(descriptors.row(row))));
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
    const double scale = scale_for(longest, dimensions_);
    tbb::parallel_for(rows, [&](const auto &range) {
        const DefaultFloats floats; // of this thread
        for (std::size_t row = range.begin(); row < range.end(); ++row) {
            std::int16_t *to = values_.data() + row / block * block * dimensions_ + row % block;
            float square = 0;
            for (const float value : descriptors.row(row)) {
                *to = static_cast<std::int16_t>((double{value} * scale + rounder) - rounder);
                square += static_cast<float>(*to) * static_cast<float>(*to);
                to += block;
            }
            squares_[row] = square;
        }
    });
}

QuantizedRows::Others::Others(const QuantizedRows &rows, std::span<const std::size_t> numbers)
    : values(rows.dimensions_ * most_others) {
    for (std::size_t c = 0; c < most_others; ++c) {
        const std::size_t row = numbers[std::min(c, numbers.size() - 1)];
        for (std::size_t i = 0; i < rows.dimensions_; ++i)
            values[i * most_others + c] =
                -2.0F * static_cast<float>(rows.block_at(row)[i * block + row % block]);
        squares[c] = rows.squares_[row];
    }
}

QuantizedRows::Gains QuantizedRows::compare(std::size_t number, const Others &others,
                                            const float *nearest, float *distances) const {
    std::array<std::int32_t, most_others * block> gains{};
    const std::size_t row = number * chunk;
    HWY_DYNAMIC_DISPATCH(compare_chunk)
    (values_.data() + row * dimensions_, squares_.data() + row, others, dimensions_, nearest,
     distances, gains.data());
    Gains sums{};
    for (std::size_t i = 0; i < gains.size(); ++i)
        sums[i / block] += static_cast<std::uint64_t>(gains[i]);
    return sums;
}

std::uint64_t QuantizedRows::lower(const float *distances, std::size_t other, float *nearest) {
    std::array<std::int32_t, block> sums{};
    HWY_DYNAMIC_DISPATCH(lower_chunk)(distances + other * block, nearest, sums.data());
    return std::reduce(sums.begin(), sums.end(), std::uint64_t{0});
}

} // namespace bowhist
#endif
