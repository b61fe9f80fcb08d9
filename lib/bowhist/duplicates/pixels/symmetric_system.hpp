#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace bowhist {

/// Solves a symmetric, positive definite system by elimination. float64, + - × ÷ only, in a fixed
/// order.
/// @return nothing where it is singular
template <std::size_t size>
std::optional<std::array<double, size>> solved(std::array<std::array<double, size>, size> a,
                                               std::array<double, size> b) {
    for (std::size_t i = 0; i < size; ++i) {
        if (!(a[i][i] > 1e-9)) return std::nullopt;
        for (std::size_t j = i + 1; j < size; ++j) {
            const double factor = a[j][i] / a[i][i];
            for (std::size_t k = i; k < size; ++k) a[j][k] -= factor * a[i][k];
            b[j] -= factor * b[i];
        }
    }
    std::array<double, size> x{};
    for (std::size_t i = size; i-- > 0;) {
        x[i] = b[i];
        for (std::size_t k = i + 1; k < size; ++k) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    return x;
}

} // namespace bowhist
