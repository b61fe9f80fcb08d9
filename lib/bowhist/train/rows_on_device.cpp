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

/// @param first  of the place's numbers
void StreamedRows::fill(Place &place, std::size_t first, std::span<const float> values) {
    if (first == 0 && place.read() != nullptr) device_->await(std::exchange(place.read, {}));
    device_->upload_ahead(place.values, values, first);
}

void StreamedRows::read(const Launch &launch) {
    std::size_t part = 0;
    std::size_t filled = 0;
    rows_.read([&](std::size_t /*first*/, std::span<const float> values) {
        while (!values.empty()) {
            Place &place = places_[part % places_.size()];
            const std::size_t whole = size(part) * rows_.dimensions();
            const std::size_t count = std::min(whole - filled, values.size());
            fill(place, filled, values.first(count));
            values = values.subspan(count);
            filled += count;
            if (filled < whole) continue;
            launch(part++, place.values);
            place.read = device_->mark();
            filled = 0;
        }
    });
}

} // namespace bowhist
