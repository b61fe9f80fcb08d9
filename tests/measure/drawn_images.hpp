// Images for measurements of a search, drawn from real histograms.
#pragma once

#include <bowhist/compare/word_counts.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Whole numbers from a seed: the same in every run, for each image apart (SplitMix64).
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL) {}
    std::uint64_t below(std::uint64_t end) {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return static_cast<std::uint64_t>((static_cast<__uint128_t>(z ^ (z >> 31)) * end) >> 64);
    }

  private:
    std::uint64_t state_;
};

/// Images that are mixtures of real ones: of each occurrence of a word, 6 of 10 come from one
/// image, 3 from a second, 1 from all. Draws repeat: `share` times as many as the first image has.
class Images {
  public:
    explicit Images(const HistogramTable &table, double share = 1)
        : words_(table.words), share_(share) {
        for (std::size_t row = 0; row < table.images.size(); ++row) {
            std::vector<std::uint32_t> occurrences;
            for (std::uint32_t word = 0; word < table.words; ++word)
                occurrences.insert(occurrences.end(),
                                   static_cast<std::size_t>(table.values[row * table.words + word]),
                                   word);
            if (occurrences.empty()) continue;
            all_.insert(all_.end(), occurrences.begin(), occurrences.end());
            real_.push_back(std::move(occurrences));
        }
    }

    std::size_t words() const { return words_; }
    std::vector<WordCount> image(std::uint64_t number) const {
        Draws draws(number + 1);
        const auto &first = real_[draws.below(real_.size())];
        const auto &second = real_[draws.below(real_.size())];
        std::vector<std::uint32_t> drawn;
        const auto count = static_cast<std::size_t>(share_ * static_cast<double>(first.size()));
        for (std::size_t i = 0; i < count; ++i) {
            const auto kind = draws.below(10);
            const auto &from = kind < 6 ? first : kind < 9 ? second : all_;
            drawn.push_back(from[draws.below(from.size())]);
        }
        std::ranges::sort(drawn);
        return counts_of(drawn);
    }

  private:
    std::size_t words_;
    double share_;
    std::vector<std::vector<std::uint32_t>> real_; ///< the words of each real image
    std::vector<std::uint32_t> all_;
};

inline std::vector<std::int8_t> code(std::uint64_t number) {
    Draws draws(number + (std::uint64_t{1} << 40));
    std::vector<std::int8_t> values(128);
    for (auto &value : values) value = static_cast<std::int8_t>(int(draws.below(255)) - 127);
    return values;
}

} // namespace bowhist
