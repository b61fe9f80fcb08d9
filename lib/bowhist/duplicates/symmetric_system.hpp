#pragma once

#include <array>
#include <cstddef>

namespace bowhist {

/// Solves a symmetric, positive definite system. float64, + - × ÷ only, in a fixed order.
template <std::size_t size>
std::array<double, size> solved(std::array<std::array<double, size>, size> a,
                                std::array<double, size> b) {
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = i + 1; j < size; ++j) {
            const double factor = a[j][i] / a[i][i];
            for (std::size_t k = i; k < size; ++k) a[j][k] -= factor * a[i][k];
            b[j] -= factor * b[i];
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
