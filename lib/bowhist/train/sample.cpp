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
    const auto row = [&](std::uint64_t i) {
        return values.begin() + static_cast<std::ptrdiff_t>(i) * row_size;
    };
    const std::size_t count = values.size() / dimensions;
    const std::uint64_t room = most_ == 0 ? count : most_ - kept_.size();
    const std::uint64_t fill = std::min<std::uint64_t>(room, count);
    kept_.values.insert(kept_.values.end(), row(0), row(fill));
    seen_ += fill;
    for (std::uint64_t i = fill; i < count; ++i) {
        const std::uint64_t place = draw_below(engine_, ++seen_);
        if (place < most_)
            std::copy_n(row(i), row_size,
                        kept_.values.begin() + static_cast<std::ptrdiff_t>(place) * row_size);
    }
}

} // namespace bowhist
