#include <bowhist/tables/collection_rows.hpp>

#include <algorithm>
#include <future>
#include <span>

namespace bowhist {

void CollectionRows::add(const std::shared_ptr<const DescriptorCollection> &collection,
                         std::size_t place) {
    const CollectedPicture &picture = collection->pictures[place];
    collection->let_go_until(picture);
    if (picture.rows == 0) return;
    size_ += picture.rows;
    if (!stretches_.empty()) {
        Stretch &last = stretches_.back();
        if (last.collection == collection && last.first + last.rows == picture.first) {
            last.rows += picture.rows;
            return;
        }
    }
    stretches_.push_back({collection, picture.first, picture.rows});
}

std::size_t CollectionRows::dimensions() const {
    return stretches_.empty() ? 0 : stretches_.front().collection->dimensions;
}

void CollectionRows::read_on(Place &place, std::span<float> into) const {
    while (!into.empty()) {
        const Stretch &stretch = stretches_[place.stretch];
        const std::size_t rows = std::min(into.size() / dimensions(), stretch.rows - place.row);
        stretch.collection->read_rows(stretch.first + place.row, into.first(rows * dimensions()));
        place.row += rows;
        if (place.row == stretch.rows) place = {place.stretch + 1, 0};
        into = into.subspan(rows * dimensions());
    }
}

void CollectionRows::read(const Take &take) const {
    const auto part_at = [&](std::size_t first) -> auto & {
        return parts_[first / part_ % 2];
    };
    Place place;
    const auto read_part = [&](std::size_t first) {
        part_at(first).resize(std::min(part_, size_ - first) * dimensions());
        read_on(place, part_at(first));
    };
    std::future<void> next; // the last: it ends before what it writes to
    if (size_ > 0) next = std::async(read_part, 0);
    for (std::size_t first = 0; first < size_; first += part_) {
        next.get();
        if (first + part_ < size_) next = std::async(read_part, first + part_);
        observer_.stop_if_interrupted();
        take(first, part_at(first));
    }
}

} // namespace bowhist
