#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace bowhist {

/// How two images agree in small windows, where they lie over each other.
///
/// In each window of 8 x 8 pixels with ink the one image is fitted by the other: by its levels, its
/// slopes (a shift) and its curvature (sharpness). The part of the window's variance that is left
/// is what neither a shift nor another encoding explains.
///
/// float64, + - × ÷ √ only, in a fixed order.
class WindowFit {
  public:
    static constexpr int side = 8; ///< pixels of a window

    /// @param overlay  outlives it
    explicit WindowFit(const Overlay &overlay) : overlay_(overlay) {}

    /// The share of the variance that is left, by the image that the other explains less; below 0
    /// without ink, and where a pixel is not covered. REQUIRES: the window lies in the overlay
    /// @param little  less is not measured: the result is then any number from 0 to `little`
    double left(int x, int y, double little = 0) const;

  private:
    static constexpr std::size_t terms = 4; ///< levels, two slopes, curvature
    using Terms = std::array<double, terms>;
    struct Sums;

    double level(const std::vector<float> &levels, int x, int y) const;
    Terms terms_at(const std::vector<float> &levels, int x, int y) const;

    const Overlay &overlay_;
};

} // namespace bowhist
