#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <numeric>

namespace bowhist {

std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints, std::size_t most) {
    std::vector<std::size_t> places(keypoints.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (most == 0 || most >= places.size()) return places;
    const auto is_stronger = [&](std::size_t a, std::size_t b) {
        const float of_a = keypoints[a].response;
        const float of_b = keypoints[b].response;
        return of_a > of_b || (of_a == of_b && a < b);
    };
    std::ranges::nth_element(places, places.begin() + static_cast<std::ptrdiff_t>(most),
                             is_stronger);
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
