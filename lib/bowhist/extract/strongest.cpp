#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace bowhist {

std::vector<std::size_t> strongest(std::span<const float> responses, std::size_t most) {
    std::vector<std::size_t> places(responses.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (most == 0 || most >= places.size()) return places;
    std::ranges::stable_sort(places, std::ranges::greater{},
                             [&](std::size_t place) { return responses[place]; });
    places.resize(most);
    std::ranges::sort(places);
    return places;
}

} // namespace bowhist
