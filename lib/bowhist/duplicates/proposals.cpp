#include <bowhist/duplicates/proposals.hpp>

#include <bowhist/compare/mutual_search.hpp>
#include <bowhist/compare/word_counts.hpp>

#include <algorithm>
#include <optional>

namespace bowhist {
namespace {

constexpr std::int64_t least_score = 1;

using Found = std::vector<std::vector<ScoredImage>>;

/// Some images, as they are searched for.
struct Queries {
    std::vector<ImageQuery> words;
    std::vector<ImageQuery> mirrored;
    std::vector<ImageQuery> codes; ///< empty without codes
    bool has_mirrored = false;
};

Queries queries_of(const NumberedImages &images, std::span<const std::uint32_t> numbers,
                   bool has_codes) {
    Queries queries;
    for (const std::uint32_t image : numbers) {
        Library::Words words = images.words(image);
        queries.words.push_back({.words = counts_of(words.words)});
        queries.has_mirrored |= !words.mirrored.empty();
        std::ranges::sort(words.mirrored);
        queries.mirrored.push_back({.words = counts_of(words.mirrored)});
        if (has_codes) queries.codes.push_back({.code = images.code(image)});
    }
    return queries;
}

SearchableImages words_of(const FindableImages &findable) {
    SearchableImages words = findable.part.searchable();
    words.codes = nullptr;
    return words;
}

SearchableImages codes_of(const FindableImages &findable) {
    SearchableImages codes = findable.part.searchable();
    codes.words = nullptr;
    return codes;
}

Found found_by_words(const FindableImages &findable, const std::vector<ImageQuery> &queries,
                     std::size_t most) {
    return search(words_of(findable), queries, {.words = 1, .codes = 0},
                  std::min(most, findable.numbers.size()), {}, least_score);
}

Found found_by_code(const FindableImages &findable, const std::vector<ImageQuery> &queries,
                    std::size_t most) {
    return search(codes_of(findable), queries, {.words = 0, .codes = 1},
                  std::min(most, findable.numbers.size()), {}, least_score);
}

/// In their order, as many as are proposed. Numbers follow the hashes of contents, so what is cut
/// off depends on the images alone.
std::vector<ScoredImage> best_of(std::vector<ScoredImage> images, std::size_t most) {
    const std::size_t count = std::min(most, images.size());
    std::ranges::partial_sort(images, images.begin() + static_cast<std::ptrdiff_t>(count),
                              [](const ScoredImage &a, const ScoredImage &b) {
                                  return a.score != b.score ? a.score > b.score : a.image < b.image;
                              });
    images.resize(count);
    return images;
}

/// The best images of the q-th query.
std::vector<ScoredImage> best_of(const Found &found, std::size_t q,
                                 std::span<const std::uint32_t> numbers, std::size_t most) {
    std::vector<ScoredImage> images;
    if (found.empty()) return images;
    for (const ScoredImage &scored : found[q]) // equal last ones are all there
        images.push_back({numbers[scored.image], scored.score});
    return best_of(std::move(images), most);
}

std::vector<ScoredImage> best_of_both(std::vector<ScoredImage> one,
                                      const std::vector<ScoredImage> &other, std::size_t most) {
    for (const ScoredImage &found : other)
        if (std::ranges::find(one, found.image, &ScoredImage::image) == one.end())
            one.push_back(found);
    return best_of(std::move(one), most);
}

void add_pairs(std::uint32_t image, std::span<const ScoredImage> proposed, bool mirrored,
               std::vector<CandidatePair> &pairs) {
    for (const auto &[other, score] : proposed)
        if (other != image)
            pairs.push_back({std::min(image, other), std::max(image, other), mirrored});
}

} // namespace

std::vector<Proposals> propose(const NumberedImages &images, std::span<const std::uint32_t> queries,
                               const FindableImages &findable, const ProposalLimits &limits,
                               Observer &observer) {
    std::vector<Proposals> proposals;
    const bool has_codes = findable.part.searchable().codes != nullptr;
    for (std::size_t first = 0; first < queries.size(); first += queries_at_once) {
        observer.stop_if_interrupted();
        const auto some = queries.subspan(first, std::min(queries_at_once, queries.size() - first));
        const Queries described = queries_of(images, some, has_codes);
        Found mirrored, codes;
        const Found words = found_by_words(findable, described.words, limits.words);
        if (described.has_mirrored)
            mirrored = found_by_words(findable, described.mirrored, limits.words);
        if (has_codes) codes = found_by_code(findable, described.codes, limits.codes);
        for (std::size_t q = 0; q < some.size(); ++q)
            proposals.push_back({.words = best_of(words, q, findable.numbers, limits.words),
                                 .mirrored = best_of(mirrored, q, findable.numbers, limits.words),
                                 .codes = best_of(codes, q, findable.numbers, limits.codes)});
        observer.progress("candidates", first + some.size(), queries.size());
    }
    return proposals;
}

void PairedProposals::compare(const NumberedImages &images, std::span<const std::uint32_t> queries,
                              const FindableImages &findable, Observer &observer) {
    const SearchableImages words = words_of(findable), codes = codes_of(findable);
    MutualSearch by_words(words, findable.numbers, words_, limits_.words);
    MutualSearch mirrored(words, findable.numbers, mirrored_, limits_.words);
    std::optional<MutualSearch> by_codes;
    if (codes.codes != nullptr) by_codes.emplace(codes, findable.numbers, codes_, limits_.codes);
    for (std::size_t first = 0; first < queries.size(); first += queries_at_once) {
        observer.stop_if_interrupted();
        const auto some = queries.subspan(first, std::min(queries_at_once, queries.size() - first));
        const Queries described = queries_of(images, some, by_codes.has_value());
        by_words.compare(described.words, some);
        if (described.has_mirrored) mirrored.compare(described.mirrored, some);
        if (by_codes) by_codes->compare(described.codes, some);
        observer.progress("candidates", first + some.size(), queries.size());
    }
}

Proposals joined(const Proposals &one, const Proposals &other, const ProposalLimits &limits) {
    return {.words = best_of_both(one.words, other.words, limits.words),
            .mirrored = best_of_both(one.mirrored, other.mirrored, limits.words),
            .codes = best_of_both(one.codes, other.codes, limits.codes)};
}

std::vector<CandidatePair> candidate_pairs(std::span<const Proposals> proposals) {
    const bool has_mirrored = std::ranges::any_of(
        proposals, [](const Proposals &of_image) { return !of_image.mirrored.empty(); });
    std::vector<CandidatePair> pairs;
    for (std::uint32_t image = 0; image < proposals.size(); ++image) {
        add_pairs(image, proposals[image].words, false, pairs);
        add_pairs(image, proposals[image].mirrored, true, pairs);
        add_pairs(image, proposals[image].codes, false, pairs);
        if (has_mirrored) add_pairs(image, proposals[image].codes, true, pairs);
    }
    std::ranges::sort(pairs);
    const auto [from, to] = std::ranges::unique(pairs);
    pairs.erase(from, to);
    return pairs;
}

} // namespace bowhist
