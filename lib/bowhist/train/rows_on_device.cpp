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
    for (Place &place : places_) place.values = device_->allocate<float>(largest);
}

/// Where there is less room than that, a part more stays free for what others allocate.
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

/// Null where the part is sent each time.
StreamedRows::Kept *StreamedRows::kept(std::size_t part) {
    const std::size_t before = kept_before(part);
    return kept_before(part + 1) > before ? &kept_[before] : nullptr;
}

/// @param first  of the place's numbers
void StreamedRows::fill(Place &place, std::size_t first, std::span<const float> values) {
    if (first == 0 && place.read() != nullptr) device_->await(std::exchange(place.read, {}));
    device_->upload_ahead(place.values, values, first);
}

void StreamedRows::read(const Launch &launch) {
    std::size_t part = 0;
    std::size_t sent = 0; // parts, into places in turn
    std::size_t filled = 0;
    rows_.read([&](std::size_t /*first*/, std::span<const float> values) {
        while (!values.empty()) {
            Place &place = places_[sent % places_.size()];
            Kept *const stays = kept(part);
            const std::size_t whole = size(part) * rows_.dimensions();
            const std::size_t count = std::min(whole - filled, values.size());
            if (stays == nullptr)
                fill(place, filled, values.first(count));
            else if (!stays->is_here)
                device_->upload_ahead(stays->values, values.first(count), filled);
            values = values.subspan(count);
            filled += count;
            if (filled < whole) continue;
            launch(part++, stays == nullptr ? place.values : stays->values);
            filled = 0;
            if (stays == nullptr) {
                place.read = device_->mark();
                ++sent;
            } else {
                stays->is_here = true;
            }
        }
    });
}

} // namespace bowhist
