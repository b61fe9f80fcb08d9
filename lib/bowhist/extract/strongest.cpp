#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace bowhist {

std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints, std::size_t most) {
    std::vector<std::size_t> places(keypoints.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return most == 0 ? places : strongest(keypoints, std::move(places), most);
}

std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints,
                                   std::vector<std::size_t> places, std::size_t most) {
    const auto is_stronger = [&](std::size_t a, std::size_t b) {
        const float of_a = keypoints[a].response;
        const float of_b = keypoints[b].response;
        return of_a > of_b || (of_a == of_b && a < b);
    };
    if (most < places.size()) {
        std::ranges::nth_element(places, places.begin() + static_cast<std::ptrdiff_t>(most),
                                 is_stronger);
        places.resize(most);
    }
    std::ranges::sort(places);
    return places;
}

Descriptors keep_strongest(Descriptors all, std::size_t most) {
    if (most == 0 || most >= all.size()) return all;
    return rows_at(all, strongest(all.keypoints, most));
}

Descriptors rows_at(const Descriptors &all, std::span<const std::size_t> places) {
    Descriptors kept{all.dimensions, {}};
    kept.values.reserve(places.size() * all.dimensions);
    for (const std::size_t place : places) {
        kept.values.insert(kept.values.end(), all.row(place).begin(), all.row(place).end());
        kept.keypoints.push_back(all.keypoints[place]);
    }
    return kept;
}

} // namespace bowhist
