#include <bowhist/core/shown_words.hpp>

#include <numeric>

namespace bowhist {

std::vector<std::uint8_t> shown_words(std::span<const std::uint32_t> counts) {
    const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    std::vector<std::uint8_t> bits((counts.size() + 7) / 8, 0);
    for (std::size_t word = 0; word < counts.size(); ++word)
        if (std::uint64_t{counts[word]} * counts.size() > sum) bits[word / 8] |= 0x80U >> word % 8;
    return bits;
}

} // namespace bowhist
