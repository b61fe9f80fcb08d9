#pragma once

#include <bowhist/compare/best_images.hpp>
#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/similarity.hpp>

#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The plain way to search by words: for each word the images that hold it, with their values. Up
/// to 2²⁴ images, and values below 256.
class PostingLists {
  public:
    PostingLists(const WordMeasure &measure, std::size_t words)
        : measure_(measure), lists_(words) {}

    void add(std::span<const WordCount> image, std::uint32_t number) {
        for (const auto &[word, count] : image)
            lists_[word].push_back({number, measure_.value(count)});
    }

    std::vector<std::vector<ScoredImage>> search(std::span<const ImageQuery> queries,
                                                 std::span<const std::uint32_t> norms,
                                                 std::size_t most) const {
        std::vector<std::vector<ScoredImage>> answers(queries.size());
        tbb::parallel_for(std::size_t{0}, queries.size(), [&](std::size_t q) {
            std::vector<std::uint32_t> sums(norms.size());
            for (const auto &[word, count] : queries[q].words) {
                const std::uint32_t value = measure_.value(count);
                for (const Entry &entry : lists_[word]) sums[entry.image] += value * entry.value;
            }
            const std::uint32_t norm = measure_.squared_norm(queries[q].words);
            BestImages best(most);
            double limit = -1; // of product² / norm: a float screen would be ours
            for (std::uint32_t i = 0; i < sums.size(); ++i) {
                const double rank = double(sums[i]) * sums[i];
                if (rank < limit * norms[i] * 0.999999) continue;
                best.add({i, 7 * similarity(sums[i], norm, norms[i])});
                if (best.limit() > 0) {
                    const double share = double(best.limit()) / 7 / double(full_similarity);
                    limit = share * share * norm;
                }
            }
            answers[q] = best.sorted();
        });
        return answers;
    }

  private:
    struct Entry {
        std::uint32_t image : 24;
        std::uint32_t value : 8;
    };
    const WordMeasure &measure_;
    std::vector<std::vector<Entry>> lists_;
};

} // namespace bowhist
