#include <bowhist/search/excess_rows.hpp>

namespace bowhist {

void ExcessRows::add(std::uint32_t word, std::uint32_t excess) {
    if (const std::uint32_t high = word >> 16U; high > 0 || !high_.empty()) {
        high_.resize(low_.size());
        high_.push_back(static_cast<std::uint16_t>(high));
    }
    const std::size_t at = low_.size();
    low_.push_back(static_cast<std::uint16_t>(word));
    const std::uint32_t half = std::min(excess, most_half);
    if (at % 2 == 0)
        halves_.push_back(static_cast<std::uint8_t>(half));
    else
        halves_.back() |= static_cast<std::uint8_t>(half << 4U);
    if (half == most_half)
        large_.push_back({static_cast<std::uint32_t>(at), std::min(excess, most_excess)});
}

std::uint32_t ExcessRows::large_excess(std::size_t i) const {
    return std::ranges::lower_bound(large_, i, {}, &Large::at)->excess;
}

void ExcessRows::close_image() {
    starts_.push_back(static_cast<std::uint32_t>(low_.size()));
}

} // namespace bowhist
