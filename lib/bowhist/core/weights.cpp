#include <bowhist/core/weights.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/logarithm.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

double natural_logarithm(double x) {
    constexpr double ln_2 = 0.69314718055994530942;
    return ln_2 * logarithm_of_2(x);
}

double weight_of(double with_word, double images, Normalization normalization) {
    if (normalization == Normalization::bm25)
        return natural_logarithm(1 + (images - with_word + 0.5) / (with_word + 0.5));
    return natural_logarithm((1 + images) / (1 + with_word)) + 1;
}

/// How much of a count is left by one that is already high, in a row that is long.
double saturated(double count, double length) {
    constexpr double k1 = 1.2;
    constexpr double b = 0.75;
    return count * (k1 + 1) / (count + k1 * (1 - b + b * length));
}

std::vector<float> rounded(const std::vector<double> &values, double length) {
    std::vector<float> features(values.size());
    if (length == 0) return features;
    std::ranges::transform(values, features.begin(),
                           [&](double value) { return static_cast<float>(value / length); });
    return features;
}

} // namespace

void WordFrequencies::add(std::span<const std::uint32_t> counts) {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count;
    if (sum == 0) return;
    images_with.resize(counts.size());
    for (std::size_t word = 0; word < counts.size(); ++word)
        if (counts[word] > 0) ++images_with[word];
    ++images;
    descriptors += sum;
}

std::optional<std::string> fault_of(const WordFrequencies &frequencies, std::size_t k) {
    if (frequencies.images_with.size() != k)
        return fmt::format("numbers of pictures for {} words, and there are {}",
                           frequencies.images_with.size(), k);
    if (frequencies.images == 0 || frequencies.descriptors == 0)
        return "frequencies of words in no picture";
    if (std::ranges::max(frequencies.images_with) > frequencies.images)
        return fmt::format("a word in {} of {} pictures", std::ranges::max(frequencies.images_with),
                           frequencies.images);
    return std::nullopt;
}

WordWeights WordWeights::scaled(std::size_t times) const {
    return {normalization, of_word, mean * static_cast<double>(times)};
}

WordWeights weights_of(const WordFrequencies &frequencies, Normalization normalization) {
    const DefaultFloats floats;
    const auto images = static_cast<double>(frequencies.images);
    WordWeights weights{normalization, {}, static_cast<double>(frequencies.descriptors) / images};
    for (const std::uint64_t with_word : frequencies.images_with)
        weights.of_word.push_back(weight_of(static_cast<double>(with_word), images, normalization));
    return weights;
}

std::vector<float> weigh(std::span<const std::uint32_t> counts, const WordWeights &weights) {
    const DefaultFloats floats;
    double sum = 0;
    for (const double count : counts) sum += count;
    const bool saturates = weights.normalization == Normalization::bm25;
    std::vector<double> values(counts.size());
    double squares = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        const double count = saturates ? saturated(counts[i], sum / weights.mean) : counts[i];
        values[i] = count * weights.of_word[i % weights.of_word.size()];
        squares += values[i] * values[i];
    }
    return rounded(values, saturates ? 1 : std::sqrt(squares));
}

std::vector<float> features(std::span<const std::uint32_t> counts, Normalization normalization,
                            const std::optional<WordWeights> &weights) {
    return weights ? weigh(counts, *weights) : normalize(counts, normalization);
}

} // namespace bowhist
