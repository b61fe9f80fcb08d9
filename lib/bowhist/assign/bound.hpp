#pragma once

#include <cstddef>

namespace bowhist {

/// How far a squared distance computed in float32 may be from the rule's.
///
/// A winner with distance b stands against a runner-up s where
///     s - b > relative * (s + b) + absolute
/// evaluated in float32. Derivation: docs/words.md.
struct Bound {
    float relative = 0;
    float absolute = 0;
};

/// The bound for sums of D squares, in any order, with or without fused multiply-add, on devices
/// that flush subnormals and on those that do not (Higham, Accuracy and Stability of Numerical
/// Algorithms, section 3.1: gamma_n = n u / (1 - n u) with u = 2^-24).
///
/// @param scale 1; tests plant a bound that is too small to see that it fails.
Bound float32_bound(std::size_t dimensions, double scale = 1);

} // namespace bowhist
