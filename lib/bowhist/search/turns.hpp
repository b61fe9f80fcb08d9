#pragma once

#include <array>
#include <cstdint>

namespace bowhist {

/// An angle's cosine and sine.
struct Turn {
    double cosine = 1;
    double sine = 0;
};

/// The turn by an angle in 256ths of a turn, computed by repeated halves and products, so that the
/// bits are the same everywhere.
Turn turn_of(std::uint8_t angle);

/// 2^(n/24), for n from -255 to 255.
double octaves(int parts);

} // namespace bowhist
