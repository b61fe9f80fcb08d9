#include <bowhist/encode/tally.hpp>

namespace bowhist {

std::vector<std::uint32_t> words_in(const TallyShape &shape, std::span<const std::uint32_t> tally) {
    std::vector<std::uint32_t> counts(shape.words);
    for (std::size_t cell = 0; cell < shape.grids.front().size(); ++cell)
        for (std::size_t word = 0; word < shape.words; ++word)
            counts[word] += tally[cell * shape.cell_size() + word];
    return counts;
}

} // namespace bowhist
