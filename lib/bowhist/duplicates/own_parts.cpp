#include <bowhist/duplicates/own_parts.hpp>

#include <bowhist/duplicates/level_counts.hpp>
#include <bowhist/duplicates/tone_fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

constexpr double visible = 24; ///< levels that images differ by where one has a part of its own
constexpr double step = 30;    ///< levels by which the one's edge is more than the other's
constexpr int reach = 3;       ///< pixels across an edge
constexpr int gap = 8;         ///< pixels between parts that count as one
constexpr std::size_t least_edge = 12;
constexpr double least_share = 0.12; ///< of both images' edges
constexpr int near_levels = 24;
constexpr double usual_share = 0.3;       ///< of edges, near a level that what is laid over has
constexpr double usual_in_banners = 0.08; ///< most of a banner is of one level; letters cross it
constexpr double of_banners = 0.15;       ///< OwnParts::flatter
constexpr double of_strong = 0.4;         ///< of a strong edge; of a weaker one, levels lie between

/// Values of each pixel, averaged over 3 x 3 pixels.
class Averages {
  public:
    Averages(const Overlay &overlay, const std::vector<float> &levels) : overlay_(overlay) {
        values_.resize(levels.size());
        for (int y = 1; y + 1 < overlay.height; ++y)
            for (int x = 1; x + 1 < overlay.width; ++x) {
                double sum = 0;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) sum += levels[overlay.at(x + dx, y + dy)];
                values_[overlay.at(x, y)] = sum / 9;
            }
    }
    double at(int x, int y) const { return values_[overlay_.at(x, y)]; }

  private:
    const Overlay &overlay_;
    std::vector<double> values_;
};

/// What holds of each pixel.
class Mask {
  public:
    template <typename Holds>
    Mask(const Overlay &overlay, const Holds &holds) : overlay_(overlay) {
        values_.resize(overlay.covered.size());
        for (int y = 1; y + 1 < overlay.height; ++y)
            for (int x = 1; x + 1 < overlay.width; ++x) values_[overlay.at(x, y)] = holds(x, y);
    }
    bool at(int x, int y) const { return values_[overlay_.at(x, y)] != 0; }
    int around(int x, int y) const { ///< of 3 x 3 pixels
        int count = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) count += at(x + dx, y + dy);
        return count;
    }

  private:
    const Overlay &overlay_;
    std::vector<std::uint8_t> values_;
};

/// Pixels with one of the mask within `gap` along rows and columns; then those with nothing else
/// around: gaps are closed.
class Closed {
  public:
    Closed(const Overlay &overlay, const Mask &mask) : overlay_(overlay) {
        for (int y = 0; y < overlay.height; ++y)
            for (int x = 0; x < overlay.width; ++x) values_.push_back(mask.at(x, y));
        for (const bool whole : {false, true})
            for (const bool along_rows : {true, false}) filter(whole, along_rows);
    }
    bool at(int x, int y) const { return values_[overlay_.at(x, y)] != 0; }

  private:
    /// Whether all within the window hold, or any.
    void filter(bool whole, bool along_rows) {
        const int lines = along_rows ? overlay_.height : overlay_.width;
        const int length = along_rows ? overlay_.width : overlay_.height;
        std::vector<int> before(static_cast<std::size_t>(length) + 1); // how many hold
        for (int line = 0; line < lines; ++line) {
            const auto at = [&](int i) {
                return along_rows ? overlay_.at(i, line) : overlay_.at(line, i);
            };
            for (int i = 0; i < length; ++i)
                before[std::size_t(i) + 1] = before[std::size_t(i)] + values_[at(i)];
            for (int i = 0; i < length; ++i) {
                const int first = std::max(0, i - gap), end = std::min(length, i + gap + 1);
                const int count = before[std::size_t(end)] - before[std::size_t(first)];
                values_[at(i)] = count >= (whole ? end - first : 1);
            }
        }
    }

    const Overlay &overlay_;
    std::vector<std::uint8_t> values_;
};

/// The share of a mask's pixels of about the most frequent level.
double flatness(const Overlay &overlay, const std::vector<float> &levels, const Mask &mask) {
    LevelCounts counts;
    for (int y = 0; y < overlay.height; ++y)
        for (int x = 0; x < overlay.width; ++x)
            if (mask.at(x, y)) counts.add(levels[overlay.at(x, y)]);
    return counts.flatness();
}

/// An edge of an image's own.
struct Edge {
    double level; ///< within
    double step;  ///< from what lies beside it
};

/// The levels that an image begins something with: an edge is blurred over some pixels, and levels
/// on its slope may be those of anything that lies beside it.
LevelCounts levels_begun(const std::vector<Edge> &edges) {
    LevelCounts levels;
    if (edges.empty()) return levels;
    std::vector<double> steps;
    for (const Edge &edge : edges) steps.push_back(edge.step);
    const auto strong = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 10);
    std::nth_element(steps.begin(), strong, steps.end(), std::greater<>());
    for (const Edge &edge : edges)
        if (edge.step >= of_strong * *strong) levels.add(edge.level);
    return levels;
}

/// What an image has at edges of the other's own, unless they are levels of what it begins itself.
/// @param edges  of its own
/// @param there  its levels within edges of the other's
/// @param share  of its edges, at which a level counts
std::size_t unhidden(const std::vector<Edge> &edges, const LevelCounts &there, double share) {
    const LevelCounts own = levels_begun(edges);
    const double usual = share * static_cast<double>(own.all());
    std::size_t count = 0;
    for (int level = 0; level < 256; ++level)
        if (static_cast<double>(own.near(level, near_levels)) < usual) count += there.at(level);
    return count;
}

/// How many edges an image begins in each square of the overlay.
class EdgeSquares {
  public:
    explicit EdgeSquares(const Overlay &overlay)
        : columns_(overlay.width / side + 1), rows_(overlay.height / side + 1),
          counts_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}
    void add(int x, int y) { ++counts_[number(x / side, y / side)]; }

    /// Squares with edges here, and none of the other image's in them or beside them.
    Box without(const EdgeSquares &other) const {
        Box box;
        for (int row = 0; row < rows_; ++row)
            for (int column = 0; column < columns_; ++column) {
                if (counts_[number(column, row)] == 0 || other.around(column, row)) continue;
                box.add(column * side, row * side);
                box.add(column * side + side - 1, row * side + side - 1);
            }
        return box;
    }

  private:
    static constexpr int side = 12; ///< pixels

    std::size_t number(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column);
    }
    bool around(int column, int row) const {
        for (int v = std::max(0, row - 1); v <= std::min(rows_ - 1, row + 1); ++v)
            for (int u = std::max(0, column - 1); u <= std::min(columns_ - 1, column + 1); ++u)
                if (counts_[number(u, v)] > 0) return true;
        return false;
    }

    int columns_, rows_;
    std::vector<std::size_t> counts_;
};

/// The lower image's levels as they would be in the upper one.
Overlay turned_over(const Overlay &overlay) {
    constexpr int rounds = 6;
    Overlay swapped = overlay;
    std::swap(swapped.lower, swapped.plain);
    swapped.upper = swapped.plain;
    swapped.tone = fitted_line(swapped);
    for (int round = 0; round < rounds; ++round) swapped.tone = fitted_tone(swapped, swapped.tone);
    apply_tone(swapped);
    return swapped;
}

} // namespace

bool OwnParts::of_both() const {
    const std::size_t less = std::min(lower_unhidden, upper_unhidden);
    return less >= least_edge &&
           static_cast<double>(less) >= least_share * static_cast<double>(lower + upper);
}

OwnParts own_parts(const Overlay &overlay) {
    const Overlay swapped = turned_over(overlay);
    const Averages lower(overlay, overlay.lower), upper_as_lower(overlay, overlay.upper);
    const Averages upper(overlay, overlay.plain), lower_as_upper(overlay, swapped.upper);
    const Mask covered(overlay,
                       [&](int x, int y) { return overlay.covered[overlay.at(x, y)] != 0; });
    const Mask known(overlay, [&](int x, int y) { return covered.around(x, y) == 9; });
    // either way: a curve takes a level that only one image has for what the other has there
    const Mask differs(overlay, [&](int x, int y) {
        return known.at(x, y) && (std::abs(lower.at(x, y) - upper_as_lower.at(x, y)) >= visible ||
                                  std::abs(upper.at(x, y) - lower_as_upper.at(x, y)) >= visible);
    });
    // no lines: edges that lie a little beside each other
    const Mask core(overlay, [&](int x, int y) { return differs.around(x, y) == 9; });
    const Mask own(overlay, [&](int x, int y) { return core.around(x, y) > 0; });
    const Closed closed(overlay, own);
    OwnParts parts;
    parts.flatter = flatness(overlay, overlay.lower, own) - flatness(overlay, overlay.plain, own);
    std::vector<Edge> lower_edges, upper_edges; // of each one's own
    LevelCounts upper_there, lower_there;       // levels of each within the other's
    EdgeSquares lower_squares(overlay), upper_squares(overlay);
    const auto across = [&](int x, int y, int u, int v) {
        if (u < 1 || v < 1 || u + 1 >= overlay.width || v + 1 >= overlay.height) return;
        if (!known.at(u, v) || differs.at(u, v) || closed.at(u, v)) return;
        const auto step_of = [&](const Averages &one, const Averages &other) {
            return std::max(std::abs(one.at(x, y) - one.at(u, v)),
                            std::abs(other.at(x, y) - other.at(u, v)));
        };
        const auto edge_of = [&](const Averages &image) {
            return Edge{image.at(x, y), std::abs(image.at(x, y) - image.at(u, v))};
        };
        const double of_lower = step_of(lower, lower_as_upper);
        const double of_upper = step_of(upper, upper_as_lower);
        if (of_lower > of_upper + step) {
            lower_edges.push_back(edge_of(lower));
            upper_there.add(upper.at(x, y));
            lower_squares.add(x, y);
        } else if (of_upper > of_lower + step) {
            upper_edges.push_back(edge_of(upper));
            lower_there.add(lower.at(x, y));
            upper_squares.add(x, y);
        }
    };
    for (int y = 1; y + 1 < overlay.height; ++y)
        for (int x = 1; x + 1 < overlay.width; ++x) {
            if (!own.at(x, y)) continue;
            across(x, y, x - reach, y);
            across(x, y, x + reach, y);
            across(x, y, x, y - reach);
            across(x, y, x, y + reach);
        }
    const double share = std::abs(parts.flatter) < of_banners ? usual_share : usual_in_banners;
    parts.lower = lower_edges.size();
    parts.upper = upper_edges.size();
    parts.lower_unhidden = unhidden(upper_edges, upper_there, share);
    parts.upper_unhidden = unhidden(lower_edges, lower_there, share);
    parts.laid_over = parts.lower > parts.upper ? lower_squares.without(upper_squares)
                                                : upper_squares.without(lower_squares);
    return parts;
}

} // namespace bowhist
