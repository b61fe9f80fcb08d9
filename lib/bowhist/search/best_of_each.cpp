#include <bowhist/search/best_of_each.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace bowhist {

void BestOfEach::add(std::uint32_t image, const ScoredImage &found) {
    if (found.score <= 0) return;
    const std::uint64_t entry = static_cast<std::uint64_t>(found.score) << score_shift |
                                static_cast<std::uint32_t>(~found.image);
    if (entry < floors_[image]) return;
    std::vector<std::uint64_t> &kept = kept_[image]; // a heap: the last of the best in front
    if (kept.size() == most_) {
        std::ranges::pop_heap(kept, std::greater());
        kept.pop_back();
    }
    kept.push_back(entry);
    std::ranges::push_heap(kept, std::greater());
    if (kept.size() == most_) floors_[image] = kept.front();
}

std::vector<ScoredImage> BestOfEach::take(std::uint32_t image) {
    std::vector<std::uint64_t> kept = std::exchange(kept_[image], {});
    std::ranges::sort(kept, std::greater());
    std::vector<ScoredImage> best;
    best.reserve(kept.size());
    for (const std::uint64_t entry : kept)
        best.push_back(
            {static_cast<std::uint32_t>(~entry), static_cast<std::int64_t>(entry >> score_shift)});
    return best;
}

} // namespace bowhist
