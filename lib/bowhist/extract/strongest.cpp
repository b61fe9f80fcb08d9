#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace bowhist {

std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints, std::size_t most) {
    std::vector<std::size_t> places(keypoints.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (most == 0 || most >= places.size()) return places;
    std::ranges::stable_sort(places, std::ranges::greater{},
                             [&](std::size_t place) { return keypoints[place].response; });
    places.resize(most);
    std::ranges::sort(places);
    return places;
}

Descriptors keep_strongest(Descriptors all, std::size_t most) {
    if (most == 0 || most >= all.size()) return all;
    Descriptors kept{all.dimensions, {}};
    kept.values.reserve(most * all.dimensions);
    for (const std::size_t place : strongest(all.keypoints, most)) {
        kept.values.insert(kept.values.end(), all.row(place).begin(), all.row(place).end());
        kept.keypoints.push_back(all.keypoints[place]);
    }
    return kept;
}

} // namespace bowhist
