#pragma once

#include <bowhist/core/integer_rows.hpp>

#include <random>

namespace bowhist::testing {

/// n rows of values from -largest to largest, the same for one seed.
inline IntegerRows random_codes(std::size_t n, std::size_t dimensions, unsigned seed, int largest) {
    std::mt19937 engine(seed);
    IntegerRows rows{dimensions, {}};
    const auto range = static_cast<unsigned>(2 * largest + 1);
    for (std::size_t i = 0; i < n * dimensions; ++i)
        rows.values.push_back(
            static_cast<std::int16_t>(static_cast<int>(engine() % range) - largest));
    return rows;
}

} // namespace bowhist::testing
