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

/// The memory that a thread needs to compare queries with images.
struct HostWorkplace {
    /// @param most   that a query wants
    /// @param words  null where images have none
    HostWorkplace(const SearchableImages &images, std::size_t queries, std::size_t most,
                  const WordAdder *words)
        : best(queries, BestImages(most)),
          sums(std::min(queries, summed_at_once) * WordIndex::window_images),
          products(CodeQueries::at_once * WordIndex::window_images), hits(queries) {
        if (words == nullptr) return;
        if (words->is_any_wide()) wide_sums.resize(sums.size());
        scratch = allocate_aligned<std::uint64_t>(words->scratch());
        spread.emplace(*images.measure, images.words->rows().words());
    }

    static constexpr std::size_t summed_at_once = 128; ///< queries: sums stay in caches

    /// work(sums of a window's images with a query), of 32 bits or 16. There is
    /// room for summed_at_once queries; the next ones take their places.
    template <typename Work>
    void with_sums(std::size_t q, bool is_wide, Work work) {
        const std::size_t first = q % summed_at_once * WordIndex::window_images;
        if (is_wide)
            work(wide_sums.data() + first);
        else
            work(sums.data() + first);
    }

    std::vector<BestImages> best;
    std::vector<std::uint16_t> sums; ///< [query][image of the window]
    std::vector<std::uint32_t> wide_sums;
    std::vector<std::int32_t> products;
    hwy::AlignedFreeUniquePtr<std::uint64_t[]> scratch;
    WaitingHits hits; ///< whose excess is not added
    std::optional<SpreadQuery> spread;
};

} // namespace bowhist
