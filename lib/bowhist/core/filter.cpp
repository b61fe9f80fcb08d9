#include <bowhist/core/filter.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bowhist {

std::optional<std::string> fault_of(const Filter &filter) {
    const auto sound = [](std::size_t side) {
        return side % 2 == 1 && side <= Filter::longest_side;
    };
    if (!sound(filter.width) || !sound(filter.height))
        return fmt::format("a filter of {}x{} weights; give an odd number in each direction, 1 to "
                           "{} (a radius of up to {})",
                           filter.width, filter.height, Filter::longest_side, Filter::max_radius);
    if (filter.weights.size() != filter.width * filter.height)
        return fmt::format("a filter of {}x{} has {} weights; give {}", filter.width, filter.height,
                           filter.weights.size(), filter.width * filter.height);
    if (!std::ranges::all_of(filter.weights, [](float weight) { return std::isfinite(weight); }))
        return "a filter with a weight that is not finite; give numbers";
    return std::nullopt;
}

} // namespace bowhist
