#pragma once

#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/prepared_queries.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// A part of the scores of a block's images, in floats: products · inverse norms · factor.
template <typename Product>
struct PartOfScore {
    const Product *products;
    const float *inverse_norms;
    float factor;
};

/// An upper bound of what exceeds the bitmaps of words: sums · sum_factor + roots · root_factor.
struct Excess {
    const float *sums = nullptr; ///< null: nothing
    const float *roots = nullptr;
    float sum_factor = 0;
    float root_factor = 0;
};

/// Finds images of a block that may reach the limit of a query, or one of their own.
/// @param words, codes       without products: none
/// @param limits_of_images   of each image of the block; may be null
/// @param hits               receives their places in the block, rising; room for all
/// @return how many
std::size_t screen_block(const PartOfScore<std::uint16_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits);
std::size_t screen_block(const PartOfScore<std::uint32_t> &words, const Excess &excess,
                         const PartOfScore<std::int32_t> &codes, float limit,
                         const float *limits_of_images, std::uint16_t *hits);

/// The parts of the scores of a block's images with a query, as it is screened.
template <typename Sum>
struct BlockParts {
    PartOfScore<Sum> words;
    Excess excess;
    PartOfScore<std::int32_t> codes;
};

/// @param first     image of the block
/// @param sums      of its images by words: whole in a listed window, else by bitmaps alone
/// @param products  of their codes. Sums or products that images lack may be null
template <typename Sum>
BlockParts<Sum> parts_of_block(const SearchableImages &images, const PreparedQuery &query,
                               std::size_t first, const Sum *sums, const std::int32_t *products) {
    BlockParts<Sum> parts{{nullptr, nullptr, 0}, {}, {nullptr, nullptr, 0}};
    if (images.words != nullptr)
        parts.words = {sums, images.inverse_word_norms->values.data() + first, query.word_factor};
    if (images.words != nullptr && !images.words->is_listed(first / WordIndex::window_images)) {
        const ExcessBounds &bounds = *images.excess_bounds;
        parts.words.factor = query.bound.ratio;
        parts.excess = {bounds.sums() + first, bounds.roots() + first, query.bound.sum,
                        query.bound.root};
    }
    if (images.codes != nullptr)
        parts.codes = {products, images.inverse_code_norms->values.data() + first,
                       query.code_factor};
    return parts;
}

/// An image that may reach a limit, the query's or its own, by the most that its excess can add.
struct Hit {
    std::uint32_t query = 0;
    std::uint32_t image = 0;
    std::uint32_t by_bitmaps = 0; ///< of the product of their words
    std::int32_t by_code = 0;     ///< the product of their codes
};

/// Hits that are found for some queries block by block, and looked at query by query later. One
/// thread's.
class WaitingHits {
  public:
    /// @param queries  how many
    explicit WaitingHits(std::size_t queries = 0) : of_queries_(queries) {}

    void add(const Hit &hit) {
        of_queries_[hit.query].push_back(hit);
        ++count_;
    }
    std::size_t count() const { return count_; } ///< that were added since take()
    /// All that were added since the last time, by rising query, and in the order of adding. The
    /// span holds until the next call.
    std::span<const Hit> take() {
        all_.clear();
        count_ = 0;
        for (std::vector<Hit> &hits : of_queries_) {
            all_.insert(all_.end(), hits.begin(), hits.end());
            hits.clear();
        }
        return all_;
    }

  private:
    std::vector<std::vector<Hit>> of_queries_;
    std::size_t count_ = 0;
    std::vector<Hit> all_;
};

} // namespace bowhist
