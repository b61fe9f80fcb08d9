#pragma once

#include <cstdint>
#include <random>

namespace bowhist {

/// An integer in [0, bound). The same seed gives the same numbers everywhere, which the standard's
/// distributions do not promise.
inline std::uint64_t draw_below(std::mt19937_64 &engine, std::uint64_t bound) {
    const std::uint64_t usable = engine.max() - engine.max() % bound;
    std::uint64_t drawn = engine();
    while (drawn >= usable) drawn = engine();
    return drawn % bound;
}

} // namespace bowhist
