#include <bowhist/core/weights.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace bowhist;

namespace {

WordFrequencies some_frequencies(std::size_t k, std::uint64_t images) {
    std::mt19937 engine(7);
    WordFrequencies frequencies{.images = images, .descriptors = 40 * images};
    for (std::size_t word = 0; word < k; ++word)
        frequencies.images_with.push_back(word < 2 ? word * images : engine() % (images + 1));
    return frequencies;
}

std::vector<std::uint32_t> some_counts(std::size_t k, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<std::uint32_t> counts(k);
    for (auto &count : counts) count = engine() % 3 == 0 ? 0 : engine() % 20;
    return counts;
}

/// By the definitions and the library's logarithm.
std::vector<double> reference(const std::vector<std::uint32_t> &counts,
                              const WordFrequencies &frequencies, Normalization how, double mean) {
    const auto n = static_cast<double>(frequencies.images);
    double sum = 0;
    for (const double count : counts) sum += count;
    std::vector<double> row;
    double squares = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto with =
            static_cast<double>(frequencies.images_with[i % frequencies.images_with.size()]);
        const double count = counts[i];
        row.push_back(how == Normalization::tfidf
                          ? count * (std::log((1 + n) / (1 + with)) + 1)
                          : std::log(1 + (n - with + 0.5) / (with + 0.5)) * count * 2.2 /
                                (count + 1.2 * (0.25 + 0.75 * sum / mean)));
        squares += row.back() * row.back();
    }
    if (how == Normalization::tfidf)
        for (double &value : row) value /= std::sqrt(squares);
    return row;
}

} // namespace

TEST_CASE("weights: rows are what the definitions say") {
    const WordFrequencies frequencies = some_frequencies(50, 300);
    for (const auto how : {Normalization::tfidf, Normalization::bm25})
        for (const std::size_t times : {1, 3}) {
            const auto counts = some_counts(50 * times, 3);
            const auto row = weigh(counts, weights_of(frequencies, how).scaled(times));
            const auto expected =
                reference(counts, frequencies, how, 40.0 * static_cast<double>(times));
            REQUIRE(row.size() == expected.size());
            for (std::size_t i = 0; i < row.size(); ++i) {
                CHECK(row[i] == Approx(expected[i]).epsilon(1e-6));
                CHECK((row[i] > 0) == (counts[i] > 0)); // words of all images count, too
            }
        }
}

TEST_CASE("weights: rarer words weigh more, and zeros stay zeros") {
    WordFrequencies frequencies{.images = 1000, .descriptors = 1000, .images_with = {}};
    for (std::uint64_t with = 0; with <= 1000; ++with) frequencies.images_with.push_back(with);
    for (const auto how : {Normalization::tfidf, Normalization::bm25}) {
        const WordWeights weights = weights_of(frequencies, how);
        for (std::size_t i = 1; i < 1001; ++i) CHECK(weights.of_word[i] < weights.of_word[i - 1]);
        CHECK(weights.of_word.back() > 0);
        CHECK(weigh(std::vector<std::uint32_t>(1001), weights) == std::vector<float>(1001));
    }
    // a longer image's counts say less, of bm25
    const WordWeights weights = weights_of(frequencies, Normalization::bm25);
    std::vector<std::uint32_t> counts(1001);
    counts[5] = 3;
    const float alone = weigh(counts, weights)[5];
    counts[9] = 4000;
    CHECK(weigh(counts, weights)[5] < alone);
}

TEST_CASE("weights: frequencies count images, each once") {
    WordFrequencies frequencies;
    std::vector<std::uint64_t> expected(6);
    std::uint64_t descriptors = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto counts = some_counts(6, seed);
        frequencies.add(counts);
        for (std::size_t word = 0; word < 6; ++word) {
            expected[word] += counts[word] > 0;
            descriptors += counts[word];
        }
    }
    frequencies.add(std::vector<std::uint32_t>(6)); // no document
    CHECK(frequencies == WordFrequencies{20, descriptors, expected});
    CHECK(!fault_of(frequencies, 6));
    CHECK(fault_of(frequencies, 5)->find("6 words") != std::string::npos);
    frequencies.images_with[2] = 21;
    CHECK(fault_of(frequencies, 6)->find("21 of 20") != std::string::npos);
    CHECK(fault_of(WordFrequencies{0, 0, {0}}, 1));
}
