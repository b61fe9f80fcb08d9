#pragma once

#include <array>
#include <complex>

namespace bowhist {

/// One half of the recursive Gaussian, after R. Deriche, "Recursively implementing the Gaussian and
/// its derivatives", INRIA research report 1893, 1993 (fourth order): two complex poles,
///
///     z_i[n] = p_i z_i[n-1] + x[n]      y[n] = Re(w_0 z_0[n] + w_1 z_1[n]) - half_center x[n]
///
/// The blur of a line is this run down it, plus the same run up it. The poles are float32 numbers,
/// as the device has them, and the weights such that a constant line keeps its value with them.
struct GaussianFilter {
    std::array<std::complex<double>, 2> poles;
    std::array<std::complex<double>, 2> weights;
    double half_center = 0; ///< half of the answer to a pixel at its own place

    /// The answer of both runs together, `distance` pixels from a pixel of 1.
    double response(double distance) const;
};

/// @throws Error{Fault::usage} naming the range (core/preprocessing.hpp) when sigma, in pixels, is
///         not within it
GaussianFilter gaussian_filter(double sigma);

} // namespace bowhist
