#include <bowhist/compare/best_images.hpp>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

namespace bowhist {
namespace {

bool higher(const ScoredImage &a, const ScoredImage &b) {
    return a.score > b.score;
}

bool before(const ScoredImage &a, const ScoredImage &b) {
    return a.score != b.score ? a.score > b.score : a.image < b.image;
}

} // namespace

void BestImages::add(const ScoredImage &image) {
    if (image.score < limit_) return;
    kept_.push_back(image);
    // twice as many as the last time, so that pruning stays cheap where many are equal
    if (kept_.size() >= room_) prune();
}

void BestImages::add(const BestImages &other) {
    for (const ScoredImage &image : other.kept_) add(image);
}

void BestImages::prune() {
    if (kept_.size() > most_) {
        const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
        std::ranges::nth_element(kept_, last, higher);
        limit_ = last->score;
        std::erase_if(kept_, [&](const ScoredImage &image) { return image.score < limit_; });
    }
    room_ = 2 * std::max(kept_.size(), most_);
}

std::vector<ScoredImage> BestImages::sorted() {
    prune();
    std::ranges::sort(kept_, before);
    return kept_;
}

std::vector<ScoredImage> best_of(std::span<const std::vector<ScoredImage>> answers) {
    std::vector<ScoredImage> all;
    for (const auto &answer : answers) all.insert(all.end(), answer.begin(), answer.end());
    std::ranges::sort(all, before);
    std::unordered_set<std::uint32_t> met;
    std::erase_if(all, [&](const ScoredImage &image) { return !met.insert(image.image).second; });
    return all;
}

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
