#pragma once

#include <bowhist/core/codes.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The code of an image: its components, scaled so that the largest magnitude becomes 127, rounded
/// (halves away from 0), all in whole numbers. Zeros stay zeros.
/// @param components  magnitudes below 2^55
std::vector<std::int8_t> code_of(std::span<const std::int64_t> components);

/// The product of two codes. REQUIRES: the same size, at most 2^16
std::int32_t product_of(std::span<const std::int8_t> a, std::span<const std::int8_t> b);

/// How alike two images are: product/√(|a|²·|b|²), from -1 to 1; 0 where either is zeros. One
/// product, root and division of whole numbers in float64: the same everywhere.
double likeness(std::span<const std::int8_t> a, std::span<const std::int8_t> b);

} // namespace bowhist
