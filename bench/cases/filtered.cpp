#include "bench/cases/filtered.hpp"

#include <algorithm>

namespace bowhist {
namespace {

/// The place in [0, size) that replaces one which may lie outside.
std::size_t stand_in(long place, long size, Border border) {
    if (border == Border::replicate || size == 1)
        return static_cast<std::size_t>(std::clamp(place, 0L, size - 1));
    while (place < 0 || place >= size) place = place < 0 ? -place : 2 * (size - 1) - place;
    return static_cast<std::size_t>(place);
}

/// The replacement of each place from -radius to side + radius - 1.
std::vector<std::size_t> stand_ins(std::size_t side, std::size_t radius, Border border) {
    std::vector<std::size_t> places(side + 2 * radius);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = stand_in(static_cast<long>(i) - static_cast<long>(radius),
                             static_cast<long>(side), border);
    return places;
}

} // namespace

std::vector<float> filtered(const std::vector<float> &pixels, std::size_t side,
                            const Filter &filter, Border border) {
    const std::vector<std::size_t> columns = stand_ins(side, filter.width / 2, border);
    const std::vector<std::size_t> rows = stand_ins(side, filter.height / 2, border);
    std::vector<float> result(pixels.size());
#pragma omp parallel
    {
        std::vector<double> padded(columns.size());
        std::vector<double> sums(side);
#pragma omp for
        for (std::size_t row = 0; row < pixels.size() / side; ++row) {
            const float *image = pixels.data() + row / side * side * side;
            std::ranges::fill(sums, 0.0);
            for (std::size_t j = 0; j < filter.height; ++j) {
                const float *source = image + rows[row % side + j] * side;
                for (std::size_t i = 0; i < padded.size(); ++i) padded[i] = source[columns[i]];
                for (std::size_t i = 0; i < filter.width; ++i) {
                    const double weight = filter.weights[j * filter.width + i];
                    for (std::size_t x = 0; x < side; ++x) sums[x] += weight * padded[x + i];
                }
            }
            std::ranges::transform(sums, result.begin() + static_cast<long>(row * side),
                                   [](double sum) { return static_cast<float>(sum); });
        }
    }
    return result;
}

} // namespace bowhist
