#pragma once

#include <cstdint>

namespace bowhist {

/// The result of an iteration of a training, before it moved the centroids.
struct Iteration {
    double inertia = 0;      ///< sum of squared distances to the words' centroids
    std::uint64_t moved = 0; ///< descriptors whose word is another than before
    std::uint64_t empty = 0; ///< words without descriptors; each is then put on a far one

    bool operator==(const Iteration &) const = default;
};

} // namespace bowhist
