#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace bowhist {
namespace {

/// In rising order.
std::vector<std::size_t> places_of(const std::vector<Keypoint> &keypoints, std::size_t most) {
    std::vector<std::size_t> places(keypoints.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::ranges::greater{},
                             [&](std::size_t place) { return keypoints[place].response; });
    places.resize(most);
    std::ranges::sort(places);
    return places;
}

} // namespace

std::vector<Keypoint> strongest(std::vector<Keypoint> all, std::size_t most) {
    if (most == 0 || most >= all.size()) return all;
    std::size_t kept = 0;
    for (const std::size_t place : places_of(all, most)) all[kept++] = all[place];
    all.resize(most);
    return all;
}

Descriptors strongest(Descriptors all, std::size_t most) {
    if (most == 0 || most >= all.size()) return all;
    float *to = all.values.data();
    for (const std::size_t place : places_of(all.keypoints, most))
        to = std::ranges::copy(all.row(place), to).out;
    all.values.resize(most * all.dimensions);
    all.keypoints = strongest(std::move(all.keypoints), most);
    return all;
}

} // namespace bowhist
