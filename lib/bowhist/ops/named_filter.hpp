#pragma once

#include <bowhist/core/filter.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// A row of `size` weights, the Gaussian's values at whole pixels, divided by their sum.
std::vector<float> gaussian_weights(std::size_t size, double sigma);

/// The filter that a name means:
///
///     box[:SIZE]         the mean of SIZE × SIZE pixels (3)
///     gaussian[:SIGMA]   SIGMA (1) pixels wide, out to the first pixel beyond 3 SIGMA
///     sobel-x, sobel-y, scharr-x, scharr-y
///                        3 × 3 gradients, positive where brightness grows rightwards, downwards
///     laplacian          the sum of four neighbors less four times the pixel
///     sharpen            the pixel less its Laplacian
///
/// Nothing when it is no filter's name. @throws Error{Fault::usage} when what follows the colon
/// is out of range, naming the range
std::optional<Filter> named_filter(std::string_view name);

/// "box[:SIZE], gaussian[:SIGMA], sobel-x, …": for a help text.
std::string filter_names();

} // namespace bowhist
