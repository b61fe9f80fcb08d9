#include <bowhist/duplicates/pixels/fading.hpp>

#include <bowhist/duplicates/pixels/level_counts.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace bowhist {
namespace {

constexpr double along_edge = 8;    ///< pixels from the edge
constexpr double within = 24;       ///< pixels: a narrow blend has ended there
constexpr double goes_on = 4;       ///< pixels beyond the edge: less is no other part
constexpr std::size_t fewest = 150; ///< pixels along a side that say something
constexpr double of_encoding = 2;   ///< levels that copies differ by
constexpr double of_texture = 0.5;  ///< blends have 0.58 and more, textured edges of crops 0.45
constexpr int step = 6;             ///< pixels: a filter that darkens edges changes less on the way

struct Place {
    double x = 0, y = 0;
};

Place place_in(const AffineMap &map, const Place &place) {
    return {map.a11 * place.x + map.a12 * place.y + map.tx,
            map.a21 * place.x + map.a22 * place.y + map.ty};
}

struct Frame {
    double width = 0, height = 0;

    bool holds(const Place &place) const {
        return place.x >= 0 && place.y >= 0 && place.x <= width - 1 && place.y <= height - 1;
    }
};

double median_of(const LevelCounts &levels) {
    std::size_t below = 0;
    int level = 0;
    while (below + levels.at(level) <= levels.all() / 2 && level < 255) below += levels.at(level++);
    return level;
}

/// How levels bend at a pixel.
struct Change {
    double difference = 0; ///< of the two images
    double texture = 0;    ///< of the image in which they bend more
};

/// Levels by which the images differ at a pixel other than around it, along rows and along columns:
/// an edge that is darker as a whole shows the same.
class Differences {
  public:
    explicit Differences(const Overlay &overlay) : overlay_(overlay) {}

    std::optional<Change> at(int x, int y) const {
        if (!is_covered(x, y)) return std::nullopt;
        const auto in_row = beside(x, y, step, 0), in_column = beside(x, y, 0, step);
        if (!in_row || !in_column) return in_row ? in_row : in_column;
        return in_row->difference < in_column->difference ? in_row : in_column;
    }

  private:
    bool is_covered(int x, int y) const {
        return x >= 0 && y >= 0 && x < overlay_.width && y < overlay_.height &&
               overlay_.covered[overlay_.at(x, y)] != 0;
    }
    /// How much levels change from a pixel to those beside it.
    double bend(const auto &levels, int x, int y, int right, int down) const {
        const double before = levels(overlay_.at(x - right, y - down));
        const double behind = levels(overlay_.at(x + right, y + down));
        return std::abs(levels(overlay_.at(x, y)) - (before + behind) / 2);
    }
    std::optional<Change> beside(int x, int y, int right, int down) const {
        if (!is_covered(x - right, y - down) || !is_covered(x + right, y + down))
            return std::nullopt;
        const auto lower = [this](std::size_t at) { return double{overlay_.lower[at]}; };
        const auto upper = [this](std::size_t at) { return double{overlay_.upper[at]}; };
        const auto both = [&](std::size_t at) { return lower(at) - upper(at); };
        return Change{.difference = bend(both, x, y, right, down),
                      .texture =
                          std::max(bend(lower, x, y, right, down), bend(upper, x, y, right, down))};
    }

    const Overlay &overlay_;
};

/// How much pixels differ near the edges of one image, where the other one goes on, and within.
class Edges {
  public:
    /// @param map  from the one to the other
    Edges(const Frame &one, const AffineMap &map, const Frame &other)
        : one_(one), map_(map), other_(other) {}

    void add(const Place &place, const Change &change) {
        const std::array<double, 4> distances{place.x, place.y, one_.width - 1 - place.x,
                                              one_.height - 1 - place.y};
        const auto nearest = std::ranges::min_element(distances);
        if (*nearest >= within) within_.add(change.difference);
        if (*nearest >= along_edge) return;
        const auto side = static_cast<std::size_t>(nearest - distances.begin());
        if (other_.holds(place_in(map_, beyond(side, place)))) along_[side].add(change);
    }

    double fading() const {
        double most = 0;
        for (const auto &[differences, texture] : along_) {
            if (differences.all() < fewest) continue;
            const double along = median_of(differences);
            if (along >= of_texture * (median_of(texture) + of_encoding))
                most = std::max(most, along / (median_of(within_) + of_encoding));
        }
        return most;
    }

  private:
    Place beyond(std::size_t side, const Place &place) const {
        switch (side) {
        case 0:
            return {-goes_on, place.y};
        case 1:
            return {place.x, -goes_on};
        case 2:
            return {one_.width - 1 + goes_on, place.y};
        default:
            return {place.x, one_.height - 1 + goes_on};
        }
    }

    struct Counts {
        LevelCounts differences, texture;

        void add(const Change &change) {
            differences.add(change.difference);
            texture.add(change.texture);
        }
    };

    Frame one_;
    AffineMap map_;
    Frame other_;
    LevelCounts within_;
    std::array<Counts, 4> along_;
};

} // namespace

Fading fading_of(const Overlay &overlay, int upper_width, int upper_height) {
    const Frame lower{double(overlay.width), double(overlay.height)};
    const Frame upper{double(upper_width), double(upper_height)};
    Edges of_lower(lower, overlay.map, upper), of_upper(upper, inverse(overlay.map), lower);
    const Differences differences(overlay);
    for (int y = 0; y < overlay.height; ++y)
        for (int x = 0; x < overlay.width; ++x) {
            const auto difference = differences.at(x, y);
            if (!difference) continue;
            const Place place{double(x), double(y)};
            of_lower.add(place, *difference);
            of_upper.add(place_in(overlay.map, place), *difference);
        }
    return {of_lower.fading(), of_upper.fading()};
}

} // namespace bowhist
