#pragma once

#include <bowhist/extract/surf/integral_image.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Haar responses of one size at every corner of pixels, for samples that are many: both packed
/// into a number, so that a sample takes one look-up and not eight.
struct HaarMap {
    static constexpr int largest_half = 4; ///< pixels, whose responses fit 16 bits

    HaarMap(const IntegralImage &sums, int half);

    std::ptrdiff_t stride;
    std::vector<std::int32_t> values; ///< x in the lower half of each, y in the upper
};

} // namespace bowhist
