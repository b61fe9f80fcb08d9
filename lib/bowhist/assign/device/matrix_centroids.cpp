#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/opencl.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace bowhist {
namespace {

/// Brings the longest centroid's norm to about 2^6: far from fp16's subnormals at one end, and a
/// descriptor may be several hundred times longer before it leaves the range at the other.
float matrix_scale(double longest) {
    if (longest == 0) return 1;
    return static_cast<float>(std::ldexp(1.0, std::clamp(6 - std::ilogb(longest), -126, 120)));
}

/// A bound must not be rounded down.
float rounded_up(double value) {
    return static_cast<float>(value * (1 + 1e-6) + std::ldexp(1.0, -126));
}

} // namespace

MatrixExtent matrix_extent(std::span<const cl_uint> extent) {
    const auto value = [&](int number) { return double{std::bit_cast<float>(extent[number])}; };
    const float scale = matrix_scale(value(EXTENT_NORM));
    const double longest = value(EXTENT_NORM) * scale;
    return {scale, rounded_up(value(EXTENT_ROUNDED)), rounded_up(value(EXTENT_RESIDUAL)),
            rounded_up(longest * longest / 2)};
}

MatrixCentroids::MatrixCentroids(const Vocabulary &vocabulary)
    : MatrixExtent{.scale = matrix_scale(std::sqrt(largest_squared_norm(vocabulary)))},
      blocks(MATRIX_CHUNK * divided_up(vocabulary.size(), MATRIX_CHUNK * MATRIX_BLOCK)),
      steps(2 * divided_up(vocabulary.dimensions, 32)),
      fragments(blocks * MATRIX_BLOCK * steps * 16, 0),
      starts(blocks * MATRIX_BLOCK, MATRIX_NOTHING) {
    double largest_square = 0;
    double largest_residual = 0;
    double largest_half = 0;
#pragma omp parallel for reduction(max : largest_square, largest_residual, largest_half)
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        const DefaultFloats floats; // of this thread
        const std::size_t in_block = j % MATRIX_BLOCK;
        const std::size_t tile = in_block % 8 / 2;
        const std::size_t column = in_block / 8 * 2 + in_block % 2;
        double square = 0;
        double rounded_square = 0;
        double residual_square = 0;
        for (std::size_t i = 0; i < vocabulary.dimensions; ++i) {
            const float value = vocabulary.row(j)[i] * scale;
            const cl_half half = cl_half_from_float(value, CL_HALF_RTE);
            const double rounded = cl_half_to_float(half);
            const std::size_t step = i / 16;
            const std::size_t lane = 4 * column + i % 16 / 4;
            fragments[((((j / MATRIX_BLOCK * MATRIX_TILES + tile) * (steps / 2) + step / 2) * WARP +
                        lane) *
                           2 +
                       step % 2) *
                          4 +
                      i % 4] = half;
            const double exact = double{vocabulary.row(j)[i]} * double{scale};
            square += exact * exact;
            rounded_square += rounded * rounded;
            residual_square += (exact - rounded) * (exact - rounded);
        }
        starts[j] = static_cast<float>(-square / 2);
        largest_square = std::max(largest_square, rounded_square);
        largest_residual = std::max(largest_residual, residual_square);
        largest_half = std::max(largest_half, square / 2);
    }
    norm = rounded_up(std::sqrt(largest_square));
    residual = rounded_up(std::sqrt(largest_residual));
    half_square = rounded_up(largest_half);
}

} // namespace bowhist
