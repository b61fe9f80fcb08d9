#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/round_up.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Sums of all pixels left of x and above y, so that the sum of any rectangle takes four look-ups.
/// They wrap at 2^32; rectangles of less are still right.
class IntegralImage {
  public:
    static constexpr int slack = 64; ///< sums behind a row that vectors may touch

    explicit IntegralImage(const Image &image)
        : width(image.width), height(image.height),
          stride(static_cast<std::ptrdiff_t>(round_up(width + 1 + slack, 16))),
          sums_(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height + 1)) {
        const std::uint8_t *from = image.pixels.data();
        for (int y = 0; y < height; ++y, from += width) {
            const std::uint32_t *above = row(y) + 1;
            std::uint32_t *to = sums_.data() + (y + 1) * stride + 1;
            std::uint32_t sum = 0;
            for (int x = 0; x < width; ++x) to[x] = above[x] + (sum += from[x]);
        }
    }

    /// Of y rows: width + 1 sums.
    const std::uint32_t *row(int y) const { return sums_.data() + y * stride; }

    int width;  ///< pixels of the picture
    int height; ///< pixels of the picture
    std::ptrdiff_t stride;

  private:
    std::vector<std::uint32_t> sums_;
};

} // namespace bowhist
