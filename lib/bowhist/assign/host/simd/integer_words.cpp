#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/host/simd/integer_words.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <span>

namespace bowhist {
namespace {

constexpr double pay_for_rounding = 1.001;

/// Puts the centroid's integers in their place. Returns at least the norm of what rounding changed.
double round_word(std::span<const float> c, std::size_t word, IntegerWords &words) {
    double squares = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double scaled = static_cast<double>(c[i]) * words.scale;
        const auto rounded = std::lrint(scaled);
        squares +=
            (scaled - static_cast<double>(rounded)) * (scaled - static_cast<double>(rounded));
        const auto half = static_cast<std::uint32_t>(static_cast<std::uint16_t>(rounded));
        words.pairs.at(word, i / 2) |= static_cast<std::int32_t>(half << (16 * (i % 2)));
    }
    return std::sqrt(squares) * pay_for_rounding;
}

} // namespace

std::optional<IntegerWords> pack_integers(const Vocabulary &vocabulary, const PackedShape &shape,
                                          double bound_scale) {
    const double longest = std::sqrt(largest_squared_norm(vocabulary)) * pay_for_rounding;
    const double scale = longest_integer_row / longest;
    if (!usable_integer_scale(scale) || longest > longest_integer_word ||
        vocabulary.dimensions > most_integer_dimensions)
        return std::nullopt;

    PackedWords<std::int32_t> pairs(vocabulary.size(), (vocabulary.dimensions + 1) / 2, shape);
    const std::size_t padded = pairs.padded_words();
    IntegerWords words{.pairs = std::move(pairs),
                       .starts = allocate_aligned<float>(padded),
                       .scale = scale,
                       .longest = longest,
                       .dimensions = vocabulary.dimensions,
                       .number_mask =
                           static_cast<std::int32_t>(std::bit_ceil(padded / shape.lanes) - 1),
                       .bound_scale = bound_scale};
    std::fill_n(words.starts.get(), padded, -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        words.starts[j] = score_start(vocabulary.row(j));
        words.residual = std::max(words.residual, round_word(vocabulary.row(j), j, words));
    }
    return words;
}

} // namespace bowhist
