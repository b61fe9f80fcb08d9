#pragma once

#include <cstddef>
#include <cstdint>

namespace bowhist {

/// The product of two rows (core/projection.hpp), exact in 32 bits.
std::int32_t product_of(const std::int16_t *a, const std::int16_t *b, std::size_t size);

} // namespace bowhist
