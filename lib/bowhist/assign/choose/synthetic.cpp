#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace bowhist {
namespace {

/// Keeps the streams of random numbers apart.
enum class Stream : std::uint64_t { center, row, row_center, word, word_center, tie };

/// A random number that is a function of its place, so that threads may draw in any order
/// (splitmix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
std::uint64_t random_bits(std::uint64_t seed, Stream stream, std::uint64_t index) {
    std::uint64_t bits = seed * 0xD1342543DE82EF95U + static_cast<std::uint64_t>(stream);
    bits = bits * 0xD1342543DE82EF95U + index;
    for (int round = 0; round < 2; ++round) {
        bits += 0x9E3779B97F4A7C15U;
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EBU;
        bits ^= bits >> 31;
    }
    return bits;
}

/// Nearly normal: the sum of four uniform numbers, scaled to variance 1.
float random_normal(std::uint64_t seed, Stream stream, std::uint64_t index) {
    const std::uint64_t bits = random_bits(seed, stream, index);
    const std::uint64_t sum =
        (bits & 0xFFFFU) + (bits >> 16 & 0xFFFFU) + (bits >> 32 & 0xFFFFU) + (bits >> 48);
    constexpr float mean = 2 * 65535.0F;
    const float deviation = 65535.0F / std::sqrt(3.0F);
    return (static_cast<float>(sum) - mean) / deviation;
}

/// `rows` points, each around a drawn center.
std::vector<float> clustered(const SyntheticData &data, Stream noise, Stream center,
                             std::size_t rows, std::size_t dimensions) {
    std::vector<float> values(rows * dimensions);
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t cluster = random_bits(data.seed, center, row) % data.clusters;
        for (std::size_t i = 0; i < dimensions; ++i)
            values[row * dimensions + i] =
                random_normal(data.seed, Stream::center, cluster * dimensions + i) +
                static_cast<float>(data.noise) *
                    random_normal(data.seed, noise, row * dimensions + i);
    }
    return values;
}

} // namespace

Descriptors synthetic_descriptors(const SyntheticData &data, std::size_t n,
                                  std::size_t dimensions) {
    return {dimensions, clustered(data, Stream::row, Stream::row_center, n, dimensions)};
}

Vocabulary synthetic_vocabulary(const SyntheticData &data, std::size_t k, std::size_t dimensions) {
    return {dimensions, clustered(data, Stream::word, Stream::word_center, k, dimensions)};
}

void plant_near_ties(const SyntheticData &data, const Vocabulary &vocabulary,
                     Descriptors &descriptors) {
    const std::size_t k = vocabulary.size();
    if (k < 2 || data.near_tie_share <= 0) return;
    const auto step = static_cast<std::size_t>(std::max(1.0, 1 / data.near_tie_share));
    for (std::size_t row = step / 2; row < descriptors.size(); row += step) {
        const std::uint64_t bits = random_bits(data.seed, Stream::tie, row);
        const std::size_t first = (bits & 0xFFFFFFFFU) % k;
        const std::size_t second = (first + 1 + (bits >> 32) % (k - 1)) % k;
        const auto a = vocabulary.row(first);
        const auto b = vocabulary.row(second);
        for (std::size_t i = 0; i < descriptors.dimensions; ++i) {
            const float middle = a[i] / 2 + b[i] / 2;
            descriptors.values[row * descriptors.dimensions + i] =
                (bits >> i % 64 & 1U) != 0 ? std::nextafter(middle, a[i]) : middle;
        }
    }
}

Vocabulary rows_as_vocabulary(const Descriptors &descriptors, std::size_t k, std::uint64_t seed) {
    const std::size_t n = descriptors.size();
    if (n < k)
        throw Error(Fault::usage,
                    fmt::format("{} words are to be drawn from {} descriptors; give a smaller -k, "
                                "more data, or --centroids",
                                k, n));
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::size_t> chosen(k);
    std::mt19937_64 engine(seed);
    std::ranges::sample(all, chosen.begin(), static_cast<std::ptrdiff_t>(k), engine);
    Vocabulary vocabulary{descriptors.dimensions, {}};
    for (const std::size_t row : chosen) {
        const auto values = descriptors.row(row);
        vocabulary.values.insert(vocabulary.values.end(), values.begin(), values.end());
    }
    return vocabulary;
}

Descriptors repeated(const Descriptors &descriptors, std::size_t n) {
    Descriptors result{descriptors.dimensions, {}};
    result.values.resize(n * descriptors.dimensions);
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] = descriptors.values[i % descriptors.values.size()];
    return result;
}

} // namespace bowhist
