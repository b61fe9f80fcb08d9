#include <bowhist/duplicates/candidates.hpp>

#include <bowhist/search/word_counts.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t queries_at_once = 128;

/// One of the searches that propose candidates.
class Proposals {
  public:
    Proposals(const FindableImages &images, std::size_t most, std::vector<CandidatePair> &pairs)
        : images_(images), most_(most), pairs_(pairs) {}

    using Numbers = std::span<const std::uint32_t>;

    void by_words(Numbers numbers, const std::vector<ImageQuery> &queries, bool mirrored) {
        SearchableImages words = images_.part.searchable();
        words.codes = nullptr;
        take(numbers, search(words, queries, {.words = 1, .codes = 0}, within(most_)), mirrored);
    }

    void by_code(Numbers numbers, const std::vector<ImageQuery> &queries, bool has_mirrored) {
        SearchableImages codes = images_.part.searchable();
        codes.words = nullptr;
        const auto found =
            search(codes, queries, {.words = 0, .codes = 1}, within((most_ + 1) / 2));
        take(numbers, found, false);
        if (has_mirrored) take(numbers, found, true);
    }

  private:
    /// One more: an image finds itself.
    std::size_t within(std::size_t most) const {
        return std::min(most + 1, images_.numbers.size());
    }

    void take(Numbers numbers, const std::vector<std::vector<ScoredImage>> &found, bool mirrored) {
        for (std::size_t q = 0; q < found.size(); ++q) {
            const auto image = numbers[q];
            for (const ScoredImage &scored : found[q]) { // equal last ones are all there
                if (scored.score <= 0) break;
                const std::uint32_t other = images_.numbers[scored.image];
                if (other == image) continue;
                pairs_.push_back({std::min(image, other), std::max(image, other), mirrored});
            }
        }
    }

    const FindableImages &images_;
    std::size_t most_;
    std::vector<CandidatePair> &pairs_;
};

std::vector<WordCount> mirrored_counts(Library::Words words) {
    std::ranges::sort(words.mirrored);
    return counts_of(words.mirrored);
}

} // namespace

std::vector<CandidatePair> candidate_pairs(const NumberedImages &images,
                                           std::span<const std::uint32_t> queries,
                                           const FindableImages &findable, std::size_t most,
                                           Observer &observer) {
    std::vector<CandidatePair> pairs;
    Proposals proposals(findable, most, pairs);
    const bool has_codes = findable.part.searchable().codes != nullptr;
    for (std::size_t first = 0; first < queries.size(); first += queries_at_once) {
        observer.stop_if_interrupted();
        const auto some = queries.subspan(first, std::min(queries_at_once, queries.size() - first));
        std::vector<ImageQuery> words, mirrored, codes;
        bool has_mirrored = false;
        for (const std::uint32_t image : some) {
            Library::Words of_image = images.words(image);
            words.push_back({.words = counts_of(of_image.words)});
            has_mirrored |= !of_image.mirrored.empty();
            mirrored.push_back({.words = mirrored_counts(std::move(of_image))});
            if (has_codes) codes.push_back({.code = images.code(image)});
        }
        proposals.by_words(some, words, false);
        if (has_mirrored) proposals.by_words(some, mirrored, true);
        if (has_codes) proposals.by_code(some, codes, has_mirrored);
        observer.progress("candidates", first + some.size(), queries.size());
    }
    std::ranges::sort(pairs);
    const auto [from, to] = std::ranges::unique(pairs);
    pairs.erase(from, to);
    return pairs;
}

} // namespace bowhist
