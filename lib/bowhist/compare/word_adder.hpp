#pragma once

#include <bowhist/compare/code_index.hpp>
#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/prepared_queries.hpp>
#include <bowhist/compare/word_query.hpp>
#include <bowhist/compare/word_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// AddBitmaps (word_sums.hpp), bit by bit: what the vectors' way is compared with.
template <typename Sum>
void add_bitmaps_plainly(const WordQuery &query, const std::uint64_t *block, std::uint64_t *,
                         Sum *sums);

/// MultiplyCodes (code_index.hpp), product by product.
void multiply_codes_plainly(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
                            std::size_t groups, std::int32_t *products);

/// Adds up the words of some queries, block by block of an index. Any number of threads may add.
class WordAdder {
  public:
    /// @param images   with words. Both outlive the adder
    WordAdder(const SearchableImages &images, const PreparedQueries &queries, const HostWay &way);

    /// Whether a query's sums need 32 bits; else they are of 16.
    bool is_wide(std::size_t q) const { return wide_[q]; }
    bool is_any_wide() const { return std::ranges::find(wide_, true) != wide_.end(); }
    /// The scratch that add() of any query needs, in words of 64 bits. It is aligned to 64 bytes.
    std::size_t scratch() const { return scratch_; }
    /// Brings a block's bitmaps from memory, where many queries will add them up.
    void bring(std::size_t window, std::size_t block) const;
    /// Prefetches the bitmaps that are added up after the query's, if there are few queries. The
    /// order is block by block, in each query by query.
    void bring_next(std::size_t q, std::size_t window, std::size_t block) const;
    /// Adds up a block's bitmaps. @param sums  of its images
    void add(std::size_t q, std::size_t window, std::size_t block, std::uint64_t *scratch,
             std::uint16_t *sums) const;
    void add(std::size_t q, std::size_t window, std::size_t block, std::uint64_t *scratch,
             std::uint32_t *sums) const;

  private:
    const WordIndex &index_;
    const PreparedQueries &queries_;
    std::vector<bool> wide_;
    std::size_t scratch_ = 0;
    AddBitmaps<std::uint16_t> add_16_ = add_bitmaps_16();
    AddBitmaps<std::uint32_t> add_32_ = add_bitmaps_32();
};

} // namespace bowhist
