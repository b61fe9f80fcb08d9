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
    std::vector<std::uint64_t> &kept = kept_[image];
    kept.push_back(entry);
    // twice as many as are wanted, so that pruning stays cheap; the first floor counts at once
    if (kept.size() == 2 * most_ || (floors_[image] == 0 && kept.size() == most_)) prune(image);
}

void BestOfEach::prune(std::uint32_t image) {
    std::vector<std::uint64_t> &kept = kept_[image];
    if (kept.size() < most_) return;
    const auto last = kept.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
    std::ranges::nth_element(kept, last, std::greater());
    floors_[image] = *last;
    kept.resize(most_);
}

std::vector<ScoredImage> BestOfEach::take(std::uint32_t image) {
    prune(image);
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
