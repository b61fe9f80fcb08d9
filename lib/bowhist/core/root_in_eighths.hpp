#pragma once

#include <cmath>
#include <cstdint>

namespace bowhist {

/// round(8·√count). Roots of whole numbers are correctly rounded, and none lies at a half: the same
/// whole number everywhere.
inline std::uint32_t root_in_eighths(double count) {
    return static_cast<std::uint32_t>(std::floor(8 * std::sqrt(count) + 0.5));
}

} // namespace bowhist
