#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/round_up.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Grey values in sixteenths, with the outermost pixels repeated once around them.
struct GreyPlane {
    static constexpr int slack = 64; ///< pixels behind a row that vectors may touch

    GreyPlane(int w, int h)
        : width(w), height(h), stride(static_cast<std::ptrdiff_t>(round_up(w + 2 + slack, 32))),
          values(static_cast<std::size_t>(stride) * static_cast<std::size_t>(h + 2)) {}

    /// Row y, from -1 to height; elements -1 to width.
    std::int16_t *row(int y) { return values.data() + (y + 1) * stride + 1; }
    const std::int16_t *row(int y) const { return values.data() + (y + 1) * stride + 1; }

    void repeat_border() {
        for (int y = 0; y < height; ++y) {
            row(y)[-1] = row(y)[0];
            row(y)[width] = row(y)[width - 1];
        }
        std::copy_n(row(0) - 1, width + 2, row(-1) - 1);
        std::copy_n(row(height - 1) - 1, width + 2, row(height) - 1);
    }

    int width;
    int height;
    std::ptrdiff_t stride;
    std::vector<std::int16_t> values;
};

GreyPlane sixteenths(const Image &image);

/// A round of the binomial filter: (1 2 1)/4 along both axes, rounded once. It adds a variance of
/// 1/2. Both planes have the same size.
void smooth(const GreyPlane &in, GreyPlane &out);

} // namespace bowhist
