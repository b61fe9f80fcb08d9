#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/outliers.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// To the nearest of a row's neighbors.
double likeness_to_nearest(const Neighbors &neighbors, std::size_t row) {
    const Neighbor &nearest = neighbors.of(row).front();
    return nearest.product / std::sqrt(static_cast<double>(neighbors.squared_norms[row]) *
                                       static_cast<double>(neighbors.squared_norms[nearest.row]));
}

double lower_fence(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    const double lower = values[(values.size() - 1) / 4];
    const double upper = values[(values.size() - 1) - (values.size() - 1) / 4];
    return lower - 1.5 * (upper - lower);
}

} // namespace

std::vector<bool> find_outliers(const Neighbors &neighbors) {
    const DefaultFloats floats;
    std::vector<bool> chosen(neighbors.size(), false); // by another row
    std::vector<double> likenesses;
    for (std::size_t row = 0; row < neighbors.size(); ++row) {
        for (const Neighbor &one : neighbors.of(row)) chosen[one.row] = true;
        if (!neighbors.of(row).empty()) likenesses.push_back(likeness_to_nearest(neighbors, row));
    }
    const double fence = lower_fence(likenesses);
    std::vector<bool> outliers(neighbors.size());
    for (std::size_t row = 0; row < neighbors.size(); ++row)
        outliers[row] =
            neighbors.squared_norms[row] == 0 || (!neighbors.of(row).empty() && !chosen[row] &&
                                                  likeness_to_nearest(neighbors, row) < fence);
    return outliers;
}

} // namespace bowhist
