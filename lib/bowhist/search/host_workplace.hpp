#pragma once

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/search/best_images.hpp>
#include <bowhist/search/image_search.hpp>
#include <bowhist/search/spread_query.hpp>
#include <bowhist/search/waiting_hits.hpp>
#include <bowhist/search/word_adder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace bowhist {

/// What a thread needs to compare queries with images.
struct HostWorkplace {
    /// @param most   that a query wants
    /// @param words  null where images have none
    HostWorkplace(const SearchableImages &images, std::size_t queries, std::size_t most,
                  const WordAdder *words)
        : best(queries, BestImages(most)),
          sums(std::min(queries, summed_at_once) * WordIndex::window_images),
          products(CodeQueries::at_once * WordIndex::window_images), hits(queries) {
        if (words == nullptr) return;
        scratch = allocate_aligned<std::uint64_t>(words->scratch());
        spread.emplace(*images.measure, images.words->rows().words());
    }

    static constexpr std::size_t summed_at_once = 128; ///< queries: sums stay in caches

    std::vector<BestImages> best;
    std::vector<std::uint32_t> sums; ///< [query][image of the window], of 16 or 32 bits
    std::vector<std::int32_t> products;
    hwy::AlignedFreeUniquePtr<std::uint64_t[]> scratch;
    WaitingHits hits; ///< whose excess is not added
    std::optional<SpreadQuery> spread;
};

} // namespace bowhist
