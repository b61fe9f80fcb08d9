#include <bowhist/tables/descriptors/collection_rows.hpp>

#include <algorithm>
#include <deque>

namespace bowhist {

void CollectionRows::add(const std::shared_ptr<const DescriptorCollection> &collection,
                         std::size_t place) {
    const CollectedImage &image = collection->images[place];
    collection->let_go_until(image);
    append(collection, image.first, image.rows);
}

void CollectionRows::append(const std::shared_ptr<const DescriptorCollection> &collection,
                            std::uint64_t first, std::uint64_t rows) {
    size_ += rows;
    kept_.clear();
    for (std::uint64_t left = rows; left > 0;) {
        if (parts_.empty() || parts_.back().rows == part_) parts_.emplace_back();
        Part &part = parts_.back();
        const std::size_t some = std::min<std::uint64_t>(left, part_ - part.rows);
        const bool is_next = !part.stretches.empty() &&
                             part.stretches.back().collection == collection &&
                             part.stretches.back().first + part.stretches.back().rows == first;
        if (!is_next) part.stretches.push_back({collection, first, 0});
        part.stretches.back().rows += some;
        part.rows += some;
        first += some;
        left -= some;
    }
}

std::unique_ptr<CollectionRows> CollectionRows::cut(std::size_t first, std::size_t count) const {
    auto some = std::make_unique<CollectionRows>(part_, observer_);
    some->dimensions_ = dimensions();
    std::size_t at = 0; // of the stretch
    for (const Part &part : parts_)
        for (const Stretch &stretch : part.stretches) {
            const std::size_t from = std::max(at, first);
            const std::size_t to = std::min(at + stretch.rows, first + count);
            if (from < to) some->append(stretch.collection, stretch.first + (from - at), to - from);
            at += stretch.rows;
        }
    return some;
}

std::unique_ptr<DescriptorRows> CollectionRows::range(std::size_t first, std::size_t count) const {
    auto some = cut(first, count);
    some->keep(kept_bytes_ / std::max<std::size_t>(1, size_) * count);
    return some;
}

std::size_t CollectionRows::dimensions() const {
    return parts_.empty() ? dimensions_ : parts_.front().stretches.front().collection->dimensions;
}

/// The number of parts before this one that stay in memory.
std::size_t CollectionRows::kept_before(std::size_t part) const {
    const std::uint64_t bytes = FileRoom::bytes_for(part_ * dimensions() * sizeof(float));
    const std::size_t kept = std::min<std::uint64_t>(parts_.size(), kept_bytes_ / bytes);
    return (part * kept + parts_.size() - 1) / parts_.size();
}

/// The place of a part, and whether the part stays there.
std::pair<CollectionRows::InMemory &, bool> CollectionRows::place_of(std::size_t part) const {
    const std::size_t kept = kept_before(part);
    if (kept_before(part + 1) > kept) return {kept_[kept], true};
    return {passing_[(part - kept) % passing_.size()], false};
}

/// @param before  the load that must end first
void CollectionRows::load(std::size_t number, std::shared_future<void> before) const {
    if (before.valid()) before.wait();
    before = {}; // else each part would hold on to all that came before it
    const Part &part = parts_[number];
    InMemory &place = place_of(number).first;
    const Stretch &first = part.stretches.front();
    if (part.stretches.size() == 1) {
        place.values = first.collection->read_rows(first.first, part.rows, place.room);
        return;
    }
    const std::size_t floats = part.rows * dimensions();
    const auto memory = place.room.memory(floats * sizeof(float));
    const std::span all(reinterpret_cast<float *>(memory.data()), floats);
    auto left = all;
    for (const Stretch &stretch : part.stretches) {
        stretch.collection->read_rows(stretch.first, left.first(stretch.rows * dimensions()));
        left = left.subspan(stretch.rows * dimensions());
    }
    place.values = all;
}

void CollectionRows::read(const Take &take) const {
    // A disk would serve more parts in turns, and the next one would be late.
    constexpr std::size_t at_once = 2;
    if (!parts_.empty()) kept_.resize(kept_before(parts_.size()));
    const auto is_there = [&](std::size_t part) {
        const auto &[place, kept] = place_of(part);
        return kept && !place.values.empty();
    };
    struct Coming {
        std::size_t part;
        std::shared_future<void> arrival;
    };
    std::deque<Coming> coming;
    std::size_t next = 0;
    std::size_t first = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        for (; next < parts_.size() && coming.size() < passing_.size(); ++next)
            if (!is_there(next)) {
                const auto before = coming.size() < at_once
                                        ? std::shared_future<void>()
                                        : coming[coming.size() - at_once].arrival;
                coming.push_back(
                    {next, std::async(&CollectionRows::load, this, next, before).share()});
            }
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
