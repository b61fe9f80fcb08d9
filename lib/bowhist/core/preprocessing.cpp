#include <bowhist/core/preprocessing.hpp>

#include <fmt/format.h>

namespace bowhist {

std::optional<std::string> fault_of(const Preprocessing &steps) {
    const bool in_range =
        steps.blur_sigma >= smallest_blur_sigma && steps.blur_sigma <= largest_blur_sigma;
    if (steps.blur_sigma != 0 && !in_range)
        return fmt::format("a blur of sigma {}; give {} to {} pixels, or 0 for none",
                           steps.blur_sigma, smallest_blur_sigma, largest_blur_sigma);
    return steps.filter_name.empty() ? std::nullopt : fault_of(steps.filter);
}

} // namespace bowhist
