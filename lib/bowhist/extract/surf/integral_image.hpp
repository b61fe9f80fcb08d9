#pragma once

#include <bowhist/extract/smoothing.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Sums of all pixels left of x and above y, in quarters of grey values, so that the sum of any
/// rectangle takes four look-ups. They wrap at 2^32; rectangles of less are still right.
class IntegralImage {
  public:
    static constexpr int slack = 64; ///< sums behind a row that vectors may touch

    explicit IntegralImage(const GreyPlane &grey)
        : width(grey.width), height(grey.height),
          stride(static_cast<std::ptrdiff_t>(round_up(width + 1 + slack, 16))),
          sums_(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height + 1)) {
        for (int y = 0; y < height; ++y) {
            const std::int16_t *from = grey.row(y);
            const std::uint32_t *above = row(y) + 1;
            std::uint32_t *to = sums_.data() + (y + 1) * stride + 1;
            std::uint32_t sum = 0;
            for (int x = 0; x < width; ++x)
                to[x] = above[x] + (sum += static_cast<std::uint32_t>((from[x] + 2) >> 2));
        }
    }

    /// The sums over the first y rows: width + 1.
    const std::uint32_t *row(int y) const { return sums_.data() + y * stride; }

    int width;  ///< pixels of the image
    int height; ///< pixels of the image
    std::ptrdiff_t stride;

  private:
    std::vector<std::uint32_t> sums_;
};

} // namespace bowhist
