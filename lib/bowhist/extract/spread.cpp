#include <bowhist/extract/spread.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/extract_launch.hpp>

#include <fmt/format.h>

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

namespace {

using Places = std::vector<std::size_t>;

/// The keypoints of each cell that are not taken, the strongest first.
std::vector<Places> ranked_by_cell(std::span<const Keypoint> keypoints,
                                   const std::vector<bool> &taken, int side, int width,
                                   int height) {
    std::vector<Places> cells(static_cast<std::size_t>(side * side));
    for (std::size_t i = 0; i < keypoints.size(); ++i) {
        const int cell = spread_cell(keypoints[i].x, keypoints[i].y, width, height, side);
        if (!taken[i]) cells[static_cast<std::size_t>(cell)].push_back(i);
    }
    for (Places &places : cells)
        std::ranges::stable_sort(places, std::ranges::greater(),
                                 [&](std::size_t i) { return keypoints[i].response; });
    return cells;
}

/// Takes `room` more, or as many as there are, round by round.
void take_in_rounds(std::span<const Keypoint> keypoints, const std::vector<Places> &cells,
                    std::size_t room, std::vector<bool> &taken) {
    for (std::size_t round = 0; room > 0; ++round) {
        Places next;
        for (const Places &cell : cells)
            if (cell.size() > round) next.push_back(cell[round]);
        if (next.empty()) return;
        next = strongest(keypoints, std::move(next), room);
        for (const std::size_t place : next) taken[place] = true;
        room -= next.size();
    }
}

} // namespace

int spread_of(const Recipe &recipe) {
    if (!spread_option.applies_to(recipe)) return 0;
    if (recipe.spread < 0 || recipe.spread > SPREAD_MOST)
        throw Error(Fault::usage,
                    fmt::format("{}: --spread {}; give 1 to {} cells a side, or 0 for no grid",
                                excerpt(recipe.extractor), recipe.spread, +SPREAD_MOST));
    return recipe.spread;
}

std::size_t strongest_share(const Recipe &recipe) {
    const std::size_t by_cell = spread_of(recipe) > 0 ? recipe.max_descriptors / 2 : 0;
    return recipe.max_descriptors - by_cell;
}

Places kept_places(std::span<const Keypoint> keypoints, const Recipe &recipe, int width,
                   int height) {
    Places places = strongest(keypoints, strongest_share(recipe));
    const int side = spread_of(recipe);
    const std::size_t most = recipe.max_descriptors;
    if (side == 0 || places.size() == keypoints.size()) return places;
    std::vector<bool> taken(keypoints.size());
    for (const std::size_t place : places) taken[place] = true;
    take_in_rounds(keypoints, ranked_by_cell(keypoints, taken, side, width, height),
                   most - places.size(), taken);
    places.clear();
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i]) places.push_back(i);
    return places;
}

Descriptors keep(Descriptors all, const Recipe &recipe, int width, int height) {
    const Places places = kept_places(all.keypoints, recipe, width, height);
    return places.size() == all.size() ? std::move(all) : rows_at(all, places);
}

} // namespace bowhist
