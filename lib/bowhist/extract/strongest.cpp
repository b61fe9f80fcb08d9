#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace bowhist {

Descriptors strongest(Descriptors all, std::size_t most) {
    if (most == 0 || most >= all.size()) return all;
    std::vector<std::size_t> places(all.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::ranges::greater{},
                             [&](std::size_t place) { return all.keypoints[place].response; });
    places.resize(most);
    std::ranges::sort(places);
    Descriptors kept{all.dimensions, {}};
    kept.values.reserve(most * all.dimensions);
    for (const std::size_t place : places) {
        kept.values.insert(kept.values.end(), all.row(place).begin(), all.row(place).end());
        kept.keypoints.push_back(all.keypoints[place]);
    }
    return kept;
}

} // namespace bowhist
