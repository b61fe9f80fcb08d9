#include <bowhist/search/excess_rows.hpp>

#include <algorithm>

namespace bowhist {

void ExcessRows::add(std::uint32_t word, std::uint32_t excess) {
    constexpr std::uint32_t farthest = 4095;
    std::uint32_t distance = word - last_word_;
    for (; distance > farthest; distance -= farthest)
        entries_.push_back(static_cast<std::uint16_t>(farthest << 4U));
    const std::uint32_t within = std::min(excess, large_excess);
    entries_.push_back(static_cast<std::uint16_t>(distance << 4U | within));
    if (within == large_excess) entries_.push_back(static_cast<std::uint16_t>(excess - within));
    last_word_ = word;
}

void ExcessRows::close_image() {
    starts_.push_back(static_cast<std::uint32_t>(entries_.size()));
    last_word_ = 0;
}

} // namespace bowhist
