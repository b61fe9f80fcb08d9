#include <bowhist/compare/word_measure.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/root_in_eighths.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// The value of a count. Roots and quotients of whole numbers are correctly rounded, and none lies
/// at a half: the same whole number everywhere.
std::uint32_t value_of(Normalization normalization, double count) {
    if (normalization == Normalization::hellinger) return root_in_eighths(count);
    if (normalization == Normalization::bm25)
        return static_cast<std::uint32_t>(std::floor(16 * count * 2.2 / (count + 1.2) + 0.5));
    return static_cast<std::uint32_t>(count);
}

std::uint32_t weight_of(Normalization normalization, double idf) {
    const double factor = normalization == Normalization::tfidf ? 1 : 4;
    return std::max(1U, static_cast<std::uint32_t>(std::floor(factor * idf * idf + 0.5)));
}

} // namespace

WordMeasure::WordMeasure(Normalization normalization, std::span<const double> weights) {
    for (std::uint32_t count = 0; count <= largest_count; ++count)
        values_.push_back(value_of(normalization, count));
    for (const double weight : weights) weights_.push_back(weight_of(normalization, weight));
}

std::uint32_t WordMeasure::squared_norm(std::span<const WordCount> image) const {
    std::uint64_t sum = 0;
    for (const auto &[word, count] : image)
        sum += std::uint64_t{weight(word)} * value(count) * value(count);
    if (sum > largest_squared_norm)
        throw Error(Fault::input, "its words are too many to compare; describe it by fewer");
    return static_cast<std::uint32_t>(sum);
}

std::uint64_t product(const WordMeasure &measure, std::span<const WordCount> a,
                      std::span<const WordCount> b) {
    std::uint64_t sum = 0;
    auto other = b.begin();
    for (const auto &[word, count] : a) {
        while (other != b.end() && other->word < word) ++other;
        if (other != b.end() && other->word == word)
            sum += std::uint64_t{measure.weight(word)} * measure.value(count) *
                   measure.value(other->count);
    }
    return sum;
}

} // namespace bowhist
