#include <bowhist/duplicates/pixels/moved_things.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace bowhist {
namespace {

// 4274 pairs chose these limits (docs/duplicates.md, "Things that moved").
constexpr float same_level = 7;           ///< levels that a thing differs by at its two places
constexpr int least_way = 4;              ///< pixels: what copies show may lie nearly as much off
constexpr int most_steps = 6;             ///< of one way: a thing may move by a part of its size
constexpr std::size_t most_pixels = 1000; ///< that ways are looked for with
constexpr std::size_t most_ways = 60;     ///< that are looked at closely
constexpr std::size_t least_pairs = 4;    ///< of pixels, one way apart

constexpr std::size_t least_seen = 12;  ///< pixels of the thing in each image
constexpr double least_explained = 0.4; ///< share of the pixels that differ
constexpr double most_foreign = 0.3;    ///< edges that begin in the other image, to pixels

struct Place {
    int x = 0;
    int y = 0;
};

struct Way {
    Place by;
    std::size_t pairs = 0;
};

/// Tries ways that a thing may have moved by.
class Ways {
  public:
    explicit Ways(const DifferingLevels &levels) : levels_(levels), all_(places(1)), some_(all_) {
        while (some_.size() > most_pixels) some_ = places(++step_);
    }

    MovedThing best() const {
        MovedThing best;
        Place by;
        for (const Way &way : frequent()) {
            const MovedThing thing = explained(some_, way.by);
            if (std::min(thing.lower, thing.upper) <= std::min(best.lower, best.upper)) continue;
            best = thing;
            by = way.by;
        }
        return best.lower > 0 ? explained(all_, by) : MovedThing{.pixels = all_.size()};
    }

  private:
    std::vector<Place> places(int step) const {
        std::vector<Place> places;
        for (int y = 0; y < levels_.height; y += step)
            for (int x = 0; x < levels_.width; x += step)
                if (levels_.own[levels_.at(x, y)] != 0) places.push_back({x, y});
        return places;
    }

    /// Whether the lower image shows at one place what the upper one shows at another. No tone is
    /// known of levels that only the thing has, but they stay where the picture's stay.
    bool is_same(std::size_t lower, std::size_t upper) const {
        return (!levels_.toned &&
                std::abs(levels_.lower[lower] - levels_.upper[upper]) < same_level) ||
               (std::abs(levels_.lower[lower] - levels_.upper_as_lower[upper]) < same_level &&
                std::abs(levels_.lower_as_upper[lower] - levels_.upper[upper]) < same_level);
    }

    /// The ways between most places that show the same.
    std::vector<Way> frequent() const {
        const int columns = levels_.width / step_, rows = levels_.height / step_;
        const int row = 2 * columns + 1;
        std::vector<std::uint32_t> pairs(static_cast<std::size_t>(row) *
                                         static_cast<std::size_t>(2 * rows + 1));
        const auto number = [&](int x, int y) {
            return static_cast<std::size_t>((y + rows) * row + x + columns);
        };
        for (const Place &from : some_) {
            const std::size_t lower = levels_.at(from.x, from.y);
            for (const Place &to : some_)
                if (is_same(lower, levels_.at(to.x, to.y)))
                    ++pairs[number((to.x - from.x) / step_, (to.y - from.y) / step_)];
        }
        std::vector<Way> ways;
        for (int y = -rows; y <= rows; ++y)
            for (int x = -columns; x <= columns; ++x)
                if (const std::size_t count = pairs[number(x, y)];
                    count >= least_pairs && std::max(std::abs(x), std::abs(y)) * step_ >= least_way)
                    ways.push_back({{x * step_, y * step_}, count});
        std::ranges::stable_sort(
            ways, [](const Way &one, const Way &other) { return one.pairs > other.pairs; });
        ways.resize(std::min(ways.size(), most_ways));
        return ways;
    }

    /// Whether a place shows the thing in one image alone: the other image shows the same one way
    /// off, perhaps the first one, too, and so on, to a place where the images differ.
    bool shows(Place at, Place by, bool in_lower) const {
        for (int step = 0; step < most_steps; ++step) {
            const Place next{at.x + by.x, at.y + by.y};
            if (!levels_.holds(next.x, next.y)) return false;
            const std::size_t here = levels_.at(at.x, at.y), there = levels_.at(next.x, next.y);
            if (!(in_lower ? is_same(here, there) : is_same(there, here))) return false;
            if (levels_.differs[there] != 0) return true;
            at = next;
        }
        return false;
    }

    MovedThing explained(const std::vector<Place> &places, Place by) const {
        MovedThing thing{.pixels = places.size()};
        for (const Place &place : places) {
            const double begun = levels_.begun[levels_.at(place.x, place.y)];
            const bool in_lower = shows(place, by, true);
            const bool in_upper = shows(place, {-by.x, -by.y}, false);
            if (in_lower && !in_upper) {
                ++thing.lower;
                thing.foreign -= begun;
            } else if (in_upper && !in_lower) {
                ++thing.upper;
                thing.foreign += begun;
            }
        }
        return thing;
    }

    const DifferingLevels &levels_;
    int step_ = 1; ///< pixels between some places
    std::vector<Place> all_, some_;
};

} // namespace

bool MovedThing::is_seen() const {
    const auto explained = static_cast<double>(lower + upper);
    return std::min(lower, upper) >= least_seen &&
           explained >= least_explained * static_cast<double>(pixels) &&
           foreign <= most_foreign * explained;
}

MovedThing moved_thing(const DifferingLevels &levels) {
    return Ways(levels).best();
}

} // namespace bowhist
