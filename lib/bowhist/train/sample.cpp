#include <bowhist/train/sample.hpp>

#include <algorithm>
#include <exception>
#include <sstream>
#include <utility>

namespace bowhist {

bool DescriptorSample::resume(Descriptors kept, std::uint64_t seen, const std::string &draws) {
    std::istringstream state(draws);
    if (!(state >> engine_)) return false;
    kept_ = std::move(kept);
    seen_ = seen;
    return true;
}

std::string DescriptorSample::draws() const {
    std::ostringstream state;
    state << engine_;
    return state.str();
}

void DescriptorSample::reserve(std::size_t floats) {
    try {
        kept_.values.reserve(floats);
    } catch (const std::exception &) {
        // what is added may be less
    }
}

void DescriptorSample::add(std::span<const float> values, std::size_t dimensions) {
    if (values.empty()) return;
    kept_.dimensions = dimensions;
    const auto row_size = static_cast<std::ptrdiff_t>(dimensions);
    const std::size_t count = values.size() / dimensions;
    const std::uint64_t room = most_ == 0 ? count : most_ - kept_.size();
    const std::uint64_t fill = std::min<std::uint64_t>(room, count);
    kept_.values.insert(kept_.values.end(), values.begin(),
                        values.begin() + static_cast<std::ptrdiff_t>(fill) * row_size);
    seen_ += fill;
    for (std::uint64_t i = fill; i < count; ++i)
        if (const auto place = next_place())
            put(*place, values.subspan(i * dimensions, dimensions));
}

std::optional<std::uint64_t> DescriptorSample::next_place() {
    if (most_ == 0 || seen_ < most_) return seen_++;
    const std::uint64_t place = draw_below(engine_, ++seen_);
    return place < most_ ? std::optional(place) : std::nullopt;
}

void DescriptorSample::put(std::uint64_t place, std::span<const float> row) {
    if (place == kept_.size())
        kept_.values.insert(kept_.values.end(), row.begin(), row.end());
    else
        std::ranges::copy(row, kept_.values.begin() +
                                   static_cast<std::ptrdiff_t>(place * kept_.dimensions));
}

void DescriptorSample::skip(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) next_place();
}

std::vector<float> DescriptorSample::chosen(std::span<const float> values, std::size_t dimensions) {
    std::vector<float> rows;
    for (std::size_t first = 0; first < values.size(); first += dimensions) {
        if (!next_place()) continue;
        const auto row = values.subspan(first, dimensions);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
}

std::size_t DescriptorSample::add_chosen(std::uint64_t count, std::span<const float> chosen,
                                         std::size_t dimensions) {
    if (count > 0) kept_.dimensions = dimensions;
    std::size_t taken = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto place = next_place();
        if (place) put(*place, chosen.subspan(dimensions * taken++, dimensions));
    }
    return taken;
}

} // namespace bowhist
