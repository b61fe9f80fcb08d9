#include <bowhist/search/plain_sums.hpp>

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

} // namespace bowhist
