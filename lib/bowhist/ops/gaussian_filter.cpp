#include <bowhist/core/error.hpp>
#include <bowhist/core/preprocessing.hpp>
#include <bowhist/ops/gaussian_filter.hpp>

#include <fmt/format.h>

#include <cmath>

namespace bowhist {
namespace {

using Complex = std::complex<double>;

// exp(-t²/2) ≈ Re Σ amplitude exp(rate t), t ≥ 0; Deriche's constants, the sines as imaginary
// parts.
constexpr std::array<Complex, 2> rates = {Complex{-1.783, 0.6318}, Complex{-1.723, 1.997}};
constexpr std::array<Complex, 2> amplitudes = {Complex{1.68, -3.735}, Complex{-0.6803, 0.2598}};

Complex as_float(Complex value) {
    return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}

} // namespace

double GaussianFilter::response(double distance) const {
    double sum = 0;
    for (std::size_t i = 0; i < poles.size(); ++i)
        sum += (weights[i] * std::pow(poles[i], std::abs(distance))).real();
    return sum;
}

GaussianFilter gaussian_filter(double sigma) {
    if (!(sigma >= smallest_blur_sigma && sigma <= largest_blur_sigma))
        throw Error(Fault::usage, fmt::format("a blur of sigma {} is out of range; choose {} … {} "
                                              "pixels",
                                              sigma, smallest_blur_sigma, largest_blur_sigma));
    GaussianFilter filter;
    double gain = 0; // of both runs on a line of ones
    for (std::size_t i = 0; i < rates.size(); ++i) {
        filter.poles[i] = as_float(std::exp(rates[i] / sigma));
        gain += (2.0 * amplitudes[i] / (1.0 - filter.poles[i]) - amplitudes[i]).real();
    }
    for (std::size_t i = 0; i < rates.size(); ++i) filter.weights[i] = amplitudes[i] / gain;
    filter.half_center = (filter.weights[0] + filter.weights[1]).real() / 2;
    return filter;
}

} // namespace bowhist
