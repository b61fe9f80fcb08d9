#include <bowhist/bench/recount.hpp>

#include <vector>

namespace bowhist {

std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts) {
    std::vector<std::uint32_t> recount(counts.size(), 0);
    std::uint64_t wrong = 0;
    for (const std::int32_t word : words) {
        const auto at = static_cast<std::size_t>(word); // beyond all counts where it is negative
        if (at < recount.size())
            ++recount[at];
        else
            ++wrong;
    }
    for (std::size_t j = 0; j < counts.size(); ++j) wrong += counts[j] != recount[j] ? 1 : 0;
    return wrong;
}

} // namespace bowhist
