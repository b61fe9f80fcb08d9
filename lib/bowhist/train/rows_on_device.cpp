#include <bowhist/core/round_up.hpp>
#include <bowhist/train/rows_on_device.hpp>

#include <algorithm>
#include <utility>

namespace bowhist {

std::size_t RowsOnDevice::parts() const {
    return divided_up(rows_.size(), part_rows_);
}

std::size_t RowsOnDevice::size(std::size_t part) const {
    return std::min(part_rows_, rows_.size() - part * part_rows_);
}

ResidentRows::ResidentRows(const DescriptorRows &rows, std::size_t part_rows, Device &device)
    : RowsOnDevice(rows, part_rows) {
    const std::size_t dimensions = rows.dimensions();
    for (std::size_t part = 0; part < parts(); ++part)
        values_.push_back(device.allocate<float>(size(part) * dimensions));
    rows.read([&](std::size_t first, std::span<const float> values) {
        while (!values.empty()) {
            const std::size_t part = first / part_rows;
            const std::size_t in_part = first % part_rows;
            const std::size_t count = std::min(size(part) - in_part, values.size() / dimensions);
            device.upload(values_[part], values.first(count * dimensions), in_part * dimensions);
            values = values.subspan(count * dimensions);
            first += count;
        }
    });
}

void ResidentRows::read(const Launch &launch) {
    for (std::size_t part = 0; part < parts(); ++part) launch(part, values_[part]);
}

StreamedRows::StreamedRows(const DescriptorRows &rows, std::size_t part_rows,
                           std::shared_ptr<Device> device)
    : RowsOnDevice(rows, part_rows), device_(std::move(device)) {
    const std::size_t largest = std::min(part_rows, rows.size()) * rows.dimensions();
    for (Buffer<float> &place : places_) place = device_->allocate<float>(largest);
}

/// If memory runs out, the last part that had room is freed again, for what others allocate.
void StreamedRows::keep_some(std::size_t most_bytes) {
    const std::size_t numbers = size(0) * rows_.dimensions();
    const std::size_t most = std::min(parts(), most_bytes / (numbers * sizeof(float)));
    try {
        while (kept_.size() < most) kept_.push_back({device_->allocate<float>(numbers)});
    } catch (const OutOfMemory &) {
        if (!kept_.empty()) kept_.pop_back();
    }
    device_->await(device_->mark()); // what allocate() wrote must not come after the rows
}

/// Parts that stay among the first `part` ones.
std::size_t StreamedRows::kept_before(std::size_t part) const {
    return part * kept_.size() / parts();
}

/// Called in the order of the parts, when one is about to be sent.
RowFeed::Target StreamedRows::kept(std::size_t part) {
    const std::size_t before = kept_before(part);
    if (kept_before(part + 1) == before) return {};
    Kept &kept = kept_[before];
    return {.values = &kept.values, .stays = true, .is_there = std::exchange(kept.is_here, true)};
}

void StreamedRows::read(const Launch &launch) {
    if (!feed_) {
        std::vector<const Buffer<float> *> places;
        for (const Buffer<float> &place : places_) places.push_back(&place);
        feed_ = std::make_unique<RowFeed>(rows_, part_rows_, device_->uploads(), std::move(places),
                                          [this](std::size_t part) { return kept(part); });
    }
    try {
        feed_->begin();
        for (std::size_t number = 0; number < parts(); ++number) {
            const RowFeed::Part part = feed_->next();
            if (part.arrival() != nullptr) device_->follow(part.arrival);
            launch(number, *part.target.values);
            feed_->done(part, device_->mark());
        }
        feed_->end();
    } catch (...) {
        feed_.reset(); // it is in the middle of a pass
        for (Kept &kept : kept_) kept.is_here = false;
        throw;
    }
}

} // namespace bowhist
