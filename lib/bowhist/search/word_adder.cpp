#include <bowhist/search/word_adder.hpp>

#include <bowhist/search/plain_sums.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t many_queries = 8;

} // namespace

WordAdder::WordAdder(const SearchableImages &images, const PreparedQueries &queries,
                     const HostWay &way)
    : index_(*images.words), queries_(queries) {
    if (way.plain) {
        add_16_ = add_bitmaps_plainly<std::uint16_t>;
        add_32_ = add_bitmaps_plainly<std::uint32_t>;
    }
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const WordQuery &words = *queries[q].words;
        // no product exceeds the square root (Cauchy and Schwarz)
        wide_.push_back(std::uint64_t{words.squared_norm()} * images.inverse_word_norms->longest >
                        0xFFFFULL * 0xFFFF);
        scratch_ = std::max(scratch_, words.order().results() * WordIndex::block_words);
    }
}

/// Many queries have most of a block's bitmaps: they are read one behind the other, which takes a
/// tenth of the time of reading them here and there.
void WordAdder::bring(std::size_t window, std::size_t block) const {
    if (queries_.size() < many_queries) return;
    const std::uint64_t *bits = index_.block(window, block);
    for (std::size_t i = 0; i < index_.block_stride(); i += WordIndex::block_words)
        static_cast<void>(static_cast<const volatile std::uint64_t *>(bits)[i]);
}

/// Prefetches what is added up next: the next query's bitmaps.
void WordAdder::bring_next(std::size_t q, std::size_t window, std::size_t block) const {
    if (queries_.size() >= many_queries) return;
    if (++q == queries_.size()) {
        q = 0;
        window += ++block / WordIndex::window_blocks;
        block %= WordIndex::window_blocks;
        if (window == index_.windows()) return;
    }
    const std::uint64_t *next = index_.block(window, block);
    for (const WeightedBitmap &bitmap : queries_[q].words->bitmaps())
        __builtin_prefetch(next + bitmap.offset);
}

void WordAdder::add(std::size_t q, std::size_t window, std::size_t block, std::uint64_t *scratch,
                    std::uint16_t *sums) const {
    add_16_(*queries_[q].words, index_.block(window, block), scratch, sums);
}

void WordAdder::add(std::size_t q, std::size_t window, std::size_t block, std::uint64_t *scratch,
                    std::uint32_t *sums) const {
    add_32_(*queries_[q].words, index_.block(window, block), scratch, sums);
}

} // namespace bowhist
