#pragma once

#include <bowhist/extract/surf/integral_image.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Haar responses of one size at every corner of pixels, for samples that are many: both packed
/// into a number, so that a sample takes one look-up and not eight.
struct HaarMap {
    static constexpr int largest_half = 4; ///< pixels, whose responses fit 16 bits

    HaarMap(const IntegralImage &sums, int half);

    std::vector<std::int32_t> values; ///< rows as long as the sums'; of each number the lower half
                                      ///< is x, the upper y
};

} // namespace bowhist
