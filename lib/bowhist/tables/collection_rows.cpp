#include <bowhist/tables/collection_rows.hpp>

#include <algorithm>
#include <deque>
#include <future>

namespace bowhist {

void CollectionRows::add(const std::shared_ptr<const DescriptorCollection> &collection,
                         std::size_t place) {
    const CollectedPicture &picture = collection->pictures[place];
    collection->let_go_until(picture);
    size_ += picture.rows;
    kept_.clear();
    std::uint64_t first = picture.first;
    for (std::uint64_t left = picture.rows; left > 0;) {
        const bool goes_on = !parts_.empty() && parts_.back().rows < sizes_.rows &&
                             parts_.back().collection == collection &&
                             parts_.back().first + parts_.back().rows == first;
        if (!goes_on) parts_.push_back({collection, first, 0});
        const std::size_t some = std::min<std::uint64_t>(left, sizes_.rows - parts_.back().rows);
        parts_.back().rows += some;
        first += some;
        left -= some;
    }
}

std::size_t CollectionRows::dimensions() const {
    return parts_.empty() ? 0 : parts_.front().collection->dimensions;
}

/// How many of the parts before this one stay in memory.
std::size_t CollectionRows::kept_before(std::size_t part) const {
    const std::uint64_t bytes = FileRoom::bytes_for(sizes_.rows * dimensions() * sizeof(float));
    return part * std::min<std::uint64_t>(parts_.size(), sizes_.kept / bytes) / parts_.size();
}

/// Where a part goes, and whether it stays there.
std::pair<CollectionRows::InMemory &, bool> CollectionRows::place_of(std::size_t part) const {
    const std::size_t kept = kept_before(part);
    if (kept_before(part + 1) > kept) return {kept_[kept], true};
    return {passing_[(part - kept) % passing_.size()], false};
}

void CollectionRows::load(std::size_t part) const {
    const auto &[collection, first, rows] = parts_[part];
    InMemory &place = place_of(part).first;
    place.values = {};
    place.values = collection->read_rows(first, rows, place.room);
}

void CollectionRows::read(const Take &take) const {
    if (!parts_.empty()) kept_.resize(kept_before(parts_.size()));
    const auto is_there = [&](std::size_t part) {
        const auto &[place, kept] = place_of(part);
        return kept && !place.values.empty();
    };
    struct Coming {
        std::size_t part;
        std::future<void> arrival;
    };
    std::deque<Coming> coming; // the last: they end before what they write to
    std::size_t next = 0;
    std::size_t first = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        for (; next < parts_.size() && coming.size() + 1 < passing_.size(); ++next)
            if (!is_there(next))
                coming.push_back({next, std::async(&CollectionRows::load, this, next)});
        if (!coming.empty() && coming.front().part == part) {
            coming.front().arrival.get();
            coming.pop_front();
        }
        observer_.stop_if_interrupted();
        take(first, place_of(part).first.values);
        first += parts_[part].rows;
    }
}

} // namespace bowhist
