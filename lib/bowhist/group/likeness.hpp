#pragma once

#include <bowhist/group/int128.hpp>

#include <cstdint>

namespace bowhist {

/// A row as another sees it: their product, and the row's own squared norm, above 0.
struct Seen {
    std::int64_t product = 0;
    std::int64_t squared_norm = 1;
};

/// Whether a is more like the row that sees both: product/√norm² of a exceeds that of b. Exact:
/// products are below 2³⁰ in size and so are squared norms, so both sides fit 90 bits.
inline bool more_alike(const Seen &a, const Seen &b) {
    const Int128 left = Int128{a.product} * a.product * b.squared_norm;
    const Int128 right = Int128{b.product} * b.product * a.squared_norm;
    if (a.product < 0) return b.product < 0 && left < right;
    return b.product < 0 || left > right;
}

} // namespace bowhist
