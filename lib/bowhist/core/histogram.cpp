#include <bowhist/core/histogram.hpp>

#include <array>
#include <cmath>

namespace bowhist {

std::vector<float> normalize(std::span<const std::uint32_t> counts, Normalization normalization) {
    double sum = 0;
    double squares = 0;
    for (const double count : counts) {
        sum += count;
        squares += count * count;
    }
    const double scale = normalization == Normalization::none ? 1
                         : normalization == Normalization::l2 ? std::sqrt(squares)
                                                              : sum;
    std::vector<float> features(counts.size(), 0.0F);
    if (scale == 0) return features;
    for (std::size_t word = 0; word < counts.size(); ++word) {
        const double share = counts[word] / scale;
        features[word] = static_cast<float>(
            normalization == Normalization::hellinger ? std::sqrt(share) : share);
    }
    return features;
}

std::string_view name_of(Normalization normalization) {
    constexpr std::array names = {"none", "l1", "l2", "hellinger", "tfidf", "bm25"};
    return names[static_cast<std::size_t>(normalization)];
}

} // namespace bowhist
