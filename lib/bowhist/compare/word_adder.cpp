#include <bowhist/compare/word_adder.hpp>

#include <algorithm>
#include <bit>

namespace bowhist {

template <typename Sum>
void add_bitmaps_plainly(const WordQuery &query, const std::uint64_t *block, std::uint64_t *,
                         Sum *sums) {
    std::fill_n(sums, WordIndex::block_images, Sum{0});
    for (const auto &[offset, weight] : query.bitmaps())
        for (std::size_t word = 0; word < WordIndex::block_words; ++word)
            for (std::uint64_t rest = block[offset + word]; rest != 0; rest &= rest - 1)
                sums[64 * word + static_cast<unsigned>(std::countr_zero(rest))] +=
                    static_cast<Sum>(weight);
}

template void add_bitmaps_plainly(const WordQuery &, const std::uint64_t *, std::uint64_t *,
                                  std::uint16_t *);
template void add_bitmaps_plainly(const WordQuery &, const std::uint64_t *, std::uint64_t *,
                                  std::uint32_t *);

void multiply_codes_plainly(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
                            std::size_t groups, std::int32_t *products) {
    constexpr std::size_t width = CodeIndex::group_images;
    for (std::size_t q = 0; q < CodeQueries::at_once; ++q)
        for (std::size_t i = 0; i < groups * width; ++i) {
            const std::int8_t *image = index.group(first + i / width) + i % width * 2;
            std::int32_t sum = 0;
            for (std::size_t pair = 0; pair < index.pairs(); ++pair, image += 2 * width) {
                const auto query =
                    static_cast<std::uint32_t>(batch[pair * CodeQueries::at_once + q]);
                sum += static_cast<std::int16_t>(query) * image[0] +
                       static_cast<std::int16_t>(query >> 16) * image[1];
            }
            products[q * groups * width + i] = sum;
        }
}

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
