#pragma once

#include <cstddef>

namespace bowhist {

/// How many steps cover a size.
constexpr std::size_t divided_up(std::size_t size, std::size_t step) {
    return (size + step - 1) / step;
}

/// The least multiple of `step` that is not below a size.
constexpr std::size_t round_up(std::size_t size, std::size_t step) {
    return divided_up(size, step) * step;
}

} // namespace bowhist
