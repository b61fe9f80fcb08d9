#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <limits>
#include <span>

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
/// @param scale 1; tests plant a bound that is too small, and see that it fails.
Bound float32_bound(std::size_t dimensions, double scale = 1);

/// How far scores s_j = x·c_j − ‖c_j‖²/2 computed in float32 may be from the exact ones. The
/// nearest centroid has the greatest score.
///
/// A winner with score b stands against a runner-up s where
///     b - s > margin(N)
/// evaluated in float32, N being sqrt(sum of x_i²) computed in float32 too: N may be infinite or
/// NaN, the bound pays for its roundings. Derivation: docs/words.md.
struct DotBound {
    float constant = std::numeric_limits<float>::infinity();
    float linear = 0;
    float quadratic = 0;
    float largest_norm = -1; ///< above this N a score might overflow: nothing is proven

    float margin(float norm) const {
        return norm <= largest_norm ? constant + norm * (linear + norm * quadratic)
                                    : std::numeric_limits<float>::infinity();
    }
};

/// The bound for scores against this vocabulary: products summed to score_start(c_j) in any order,
/// with or without fused multiply-add, on devices that flush subnormals and on those that do not,
/// with a square root that is right to 16 units in the last place.
///
/// @param scale 1; tests plant a bound that is too small, and see that it fails.
DotBound dot_bound(const Vocabulary &vocabulary, double scale = 1);

/// The largest ‖c_j‖², as float64 sums it.
double largest_squared_norm(const Vocabulary &vocabulary);

/// The same bound from D and the largest squared norm.
DotBound dot_bound(std::size_t dims, double summed_square, double scale);

/// −‖c‖²/2, summed in float64 and rounded to float32: minus infinity where it overflows.
float score_start(std::span<const float> c);

} // namespace bowhist
