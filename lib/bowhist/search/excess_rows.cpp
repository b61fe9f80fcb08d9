#include <bowhist/search/excess_rows.hpp>

#include <algorithm>

namespace bowhist {

void ExcessRows::add(std::uint32_t word, std::uint32_t excess) {
    if (const std::uint32_t high = word >> 16U; high > 0 || !high_.empty()) {
        high_.resize(low_.size());
        high_.push_back(static_cast<std::uint16_t>(high));
    }
    low_.push_back(static_cast<std::uint16_t>(word));
    excess_.push_back(static_cast<std::uint8_t>(std::min(excess, most_excess)));
}

void ExcessRows::close_image() {
    starts_.push_back(static_cast<std::uint32_t>(low_.size()));
}

} // namespace bowhist
