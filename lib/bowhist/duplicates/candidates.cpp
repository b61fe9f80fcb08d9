#include <bowhist/duplicates/candidates.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t queries_at_once = 128;

/// One of the searches that propose candidates.
class Proposals {
  public:
    Proposals(const ResidentImages &images, std::size_t most, std::vector<CandidatePair> &pairs)
        : images_(images), most_(most), pairs_(pairs) {}

    void by_words(std::size_t first, const std::vector<ImageQuery> &queries, bool mirrored) {
        SearchableImages words = images_.searchable();
        words.codes = nullptr;
        take(first, search(words, queries, {.words = 1, .codes = 0}, within(most_)), mirrored);
    }

    void by_code(std::size_t first, const std::vector<ImageQuery> &queries, bool has_mirrored) {
        SearchableImages codes = images_.searchable();
        codes.words = nullptr;
        const auto found =
            search(codes, queries, {.words = 0, .codes = 1}, within((most_ + 1) / 2));
        take(first, found, false);
        if (has_mirrored) take(first, found, true);
    }

  private:
    /// One more: an image finds itself.
    std::size_t within(std::size_t most) const {
        return std::min(most + 1, images_.images().size());
    }

    void take(std::size_t first, const std::vector<std::vector<ScoredImage>> &found,
              bool mirrored) {
        for (std::size_t q = 0; q < found.size(); ++q) {
            const auto image = static_cast<std::uint32_t>(first + q);
            std::size_t taken = 0;
            for (const ScoredImage &other : found[q]) {
                if (other.score <= 0 || taken == most_) break;
                if (other.image == image) continue;
                ++taken;
                pairs_.push_back(
                    {std::min(image, other.image), std::max(image, other.image), mirrored});
            }
        }
    }

    const ResidentImages &images_;
    std::size_t most_;
    std::vector<CandidatePair> &pairs_;
};

std::vector<WordCount> mirrored_counts(Library::Words words) {
    std::ranges::sort(words.mirrored);
    return counts_of(words.mirrored);
}

} // namespace

std::vector<CandidatePair> candidate_pairs(const Library &library, const ResidentImages &images,
                                           std::size_t most, Observer &observer) {
    std::vector<CandidatePair> pairs;
    Proposals proposals(images, most, pairs);
    const std::size_t count = images.images().size();
    const bool has_codes = images.searchable().codes != nullptr;
    for (std::size_t first = 0; first < count; first += queries_at_once) {
        observer.stop_if_interrupted();
        std::vector<ImageQuery> words, mirrored, codes;
        bool has_mirrored = false;
        for (std::size_t i = first; i < std::min(first + queries_at_once, count); ++i) {
            Library::Words of_image = library.words(images.images()[i]);
            words.push_back({.words = counts_of(of_image.words)});
            has_mirrored |= !of_image.mirrored.empty();
            mirrored.push_back({.words = mirrored_counts(std::move(of_image))});
            if (has_codes) codes.push_back({.code = library.code(images.images()[i]).values});
        }
        proposals.by_words(first, words, false);
        if (has_mirrored) proposals.by_words(first, mirrored, true);
        if (has_codes) proposals.by_code(first, codes, has_mirrored);
        observer.progress("candidates", std::min(first + queries_at_once, count), count);
    }
    std::ranges::sort(pairs);
    const auto [from, to] = std::ranges::unique(pairs);
    pairs.erase(from, to);
    return pairs;
}

} // namespace bowhist
