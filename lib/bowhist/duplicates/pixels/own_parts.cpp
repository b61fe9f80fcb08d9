#include <bowhist/duplicates/pixels/own_parts.hpp>

#include <bowhist/duplicates/pixels/level_counts.hpp>
#include <bowhist/duplicates/pixels/overlay_masks.hpp>
#include <bowhist/duplicates/pixels/tone_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

Squares squares_of(const Overlay &overlay) {
    Squares squares{overlay.width / Squares::side + 1, overlay.height / Squares::side + 1, {}};
    squares.marked.resize(static_cast<std::size_t>(squares.columns) *
                          static_cast<std::size_t>(squares.rows));
    return squares;
}

void mark(Squares &squares, int x, int y) {
    std::uint8_t &edges = squares.marked[static_cast<std::size_t>(y / Squares::side) *
                                             static_cast<std::size_t>(squares.columns) +
                                         static_cast<std::size_t>(x / Squares::side)];
    if (edges < 255) ++edges;
}

/// The squares that are marked in `one`, and neither in the other one nor beside it.
Box without(const Squares &one, const Squares &other) {
    constexpr int side = Squares::side;
    Box box;
    for (int row = 0; row < one.rows; ++row)
        for (int column = 0; column < one.columns; ++column) {
            if (!one.at(column, row) || other.are_near(column * side, row * side)) continue;
            box.add(column * side, row * side);
            box.add(column * side + side - 1, row * side + side - 1);
        }
    return box;
}

/// Marked squares that hang together become those of the image that begins more in them.
void divide(Squares &one, Squares &other) {
    const auto is_marked = [&](int x, int y) { return one.at(x, y) || other.at(x, y); };
    for (const auto &part : parts_of(one.columns, one.rows, is_marked)) {
        const auto edges_in = [&](const Squares &squares) {
            int sum = 0;
            for (const auto &[x, y] : part)
                sum += squares.marked[static_cast<std::size_t>(y * squares.columns + x)];
            return sum;
        };
        Squares &less = edges_in(one) < edges_in(other) ? one : other;
        for (const auto &[x, y] : part)
            less.marked[static_cast<std::size_t>(y * less.columns + x)] = 0;
    }
}

/// Pixels that differ, closed, that hang together.
struct Blob {
    Box box = {};              ///< around those that differ
    std::size_t pixels = 0;    ///< of the part, holes filled
    std::size_t differing = 0; ///< of these, where the images differ
    std::size_t deep = 0;      ///< of these, too far from an edge for a stroke

    double share(std::size_t count) const {
        return static_cast<double>(count) / (static_cast<double>(box.width()) * box.height());
    }
};

constexpr double visible = 24; ///< levels that images differ by where one has a part of its own
constexpr double step = 30;    ///< levels by which the one's edge is more than the other's
constexpr int reach = 3;       ///< pixels across an edge
constexpr int gap = 8;         ///< pixels between parts that count as one
constexpr int some_around = 3; ///< of 3 x 3 pixels
constexpr std::size_t least_edge = 12;
constexpr double least_share = 0.12; ///< of both images' edges
constexpr int near_levels = 24;
constexpr double usual_share = 0.3;       ///< of edges, near a level that what is laid over has
constexpr double usual_in_banners = 0.08; ///< most of a banner is of one level; letters cross it
constexpr double of_banners = 0.15;       ///< OwnParts::flatter
constexpr double of_strong = 0.4;         ///< of a strong edge; of a weaker one, levels lie between

// Two captions. 170 photographs chose these limits, 60 others tested them. The limits miss 136 of
// 1019 pairs with two captions (357 are missed without them), and 4 of 337 in white letters with
// black edges (57). They lose 8 more of 1654 pairs with one caption, banner or sticker.
constexpr double quiet = 12;    ///< levels that an image without a step changes by
constexpr int most_stroke = 12; ///< pixels
constexpr std::size_t least_narrow = 80;
constexpr double least_narrow_share = 0.3; ///< of the image with fewer, to the other
constexpr double most_thick_share = 0.2;   ///< of what differs: banners, stickers
constexpr std::size_t least_pixels = 150;
constexpr double least_change = 25;               ///< levels
constexpr double change_of_letters = 2;           ///< to the change around them
constexpr double most_thick_share_changing = 0.5; ///< of what differs, where it changes so much
constexpr int thick = 4;                          ///< pixels to the nearest that do not differ
constexpr double most_untoned = 6;             ///< levels of mean change: encoding changes up to 4
constexpr int around_from = 3, around_to = 11; ///< pixels from what differs

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

/// Counts an image's levels within edges of the other's own, unless its own edges begin with such
/// levels.
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

/// The places where two images differ, and the image that begins something at their edges.
class Differences {
  public:
    explicit Differences(const Overlay &overlay) : Differences(overlay, turned_over(overlay)) {}

    /// Counts edges, and the levels beside them.
    OwnParts parts() const {
        OwnParts parts;
        const Box whole{0, 0, overlay_.width - 1, overlay_.height - 1};
        const LevelCounts lower_levels = own_levels(whole, overlay_.lower);
        parts.flatter = lower_levels.flatness() - own_levels(whole, overlay_.plain).flatness();
        Begun of_lower(overlay_), of_upper(overlay_);
        for (int y = 1; y + 1 < overlay_.height; ++y)
            for (int x = 1; x + 1 < overlay_.width; ++x) {
                if (!own_.at(x, y)) continue;
                for (const auto &[dx, dy] : directions)
                    look_across(x, y, dx, dy, of_lower, of_upper);
            }
        if (lower_levels.all() > 0) parts.moved = moved_thing(levels(of_lower, of_upper));
        const double share = std::abs(parts.flatter) < of_banners ? usual_share : usual_in_banners;
        parts.lower = of_lower.edges.size();
        parts.upper = of_upper.edges.size();
        parts.lower_unhidden = unhidden(of_upper.edges, of_lower.beside, share);
        parts.upper_unhidden = unhidden(of_lower.edges, of_upper.beside, share);
        parts.lower_untoned = of_lower.untoned;
        parts.upper_untoned = of_upper.untoned;
        parts.lower_narrow = of_lower.narrow;
        parts.upper_narrow = of_upper.narrow;
        parts.laid_over = parts.lower > parts.upper ? without(of_lower.squares, of_upper.squares)
                                                    : without(of_upper.squares, of_lower.squares);
        parts.filled = filled(parts.lower > parts.upper ? overlay_.lower : overlay_.plain);
        divide(of_lower.squares, of_upper.squares);
        parts.of_lower = std::move(of_lower.squares);
        parts.of_upper = std::move(of_upper.squares);
        if (std::max(parts.lower, parts.upper) >= least_edge) measure_changes(parts);
        return parts;
    }

  private:
    static constexpr std::array<std::pair<int, int>, 4> directions{
        {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

    /// The edges that an image begins.
    struct Begun {
        explicit Begun(const Overlay &overlay) : squares(squares_of(overlay)) {}
        std::vector<Edge> edges = {};
        std::vector<std::size_t> places = {}; ///< of the edges: pixels of the overlay
        LevelCounts beside = {};              ///< levels of the other image there
        Squares squares;
        std::size_t narrow = 0, untoned = 0;
    };

    Differences(const Overlay &overlay, const Overlay &swapped)
        : overlay_(overlay), lower_(overlay, overlay.lower),
          upper_as_lower_(overlay, overlay.upper), upper_(overlay, overlay.plain),
          lower_as_upper_(overlay, swapped.upper),
          covered_(overlay, [&](int x, int y) { return overlay.covered[overlay.at(x, y)] != 0; }),
          known_(overlay, [&](int x, int y) { return covered_.around(x, y) == 9; }),
          lower_untoned_(overlay,
                         [&](int x, int y) {
                             return known_.at(x, y) &&
                                    std::abs(upper_.at(x, y) - lower_as_upper_.at(x, y)) >= visible;
                         }),
          upper_untoned_(overlay,
                         [&](int x, int y) {
                             return known_.at(x, y) &&
                                    std::abs(lower_.at(x, y) - upper_as_lower_.at(x, y)) >= visible;
                         }),
          // either way: a curve takes a level that only one image has for what the other has there
          differs_(
              overlay,
              [&](int x, int y) { return lower_untoned_.at(x, y) || upper_untoned_.at(x, y); }),
          // no lines: edges that lie a little beside each other
          core_(overlay, [&](int x, int y) { return differs_.around(x, y) == 9; }),
          own_(overlay, [&](int x, int y) { return core_.around(x, y) > 0; }),
          closed_(Spread(overlay, own_).grown(gap).shrunk(gap)) {}

    void look_across(int x, int y, int dx, int dy, Begun &of_lower, Begun &of_upper) const {
        const int u = x + reach * dx, v = y + reach * dy;
        if (u < 1 || v < 1 || u + 1 >= overlay_.width || v + 1 >= overlay_.height) return;
        if (!known_.at(u, v) || differs_.at(u, v) || closed_.at(u, v)) return;
        const auto step_of = [&](const Averages &one, const Averages &other) {
            return std::max(std::abs(one.at(x, y) - one.at(u, v)),
                            std::abs(other.at(x, y) - other.at(u, v)));
        };
        const auto add = [&](Begun &begun, const Averages &image, const Averages &other,
                             double other_step, const Mask &untoned) {
            begun.edges.push_back({image.at(x, y), std::abs(image.at(x, y) - image.at(u, v))});
            begun.places.push_back(overlay_.at(x, y));
            begun.beside.add(other.at(x, y));
            mark(begun.squares, x, y);
            begun.narrow += other_step <= quiet && is_narrow(x, y, dx, dy);
            begun.untoned += untoned.around(x, y) >= some_around;
        };
        const double lower_step = step_of(lower_, lower_as_upper_);
        const double upper_step = step_of(upper_, upper_as_lower_);
        if (lower_step > upper_step + step)
            add(of_lower, lower_, upper_, upper_step, lower_untoned_);
        else if (upper_step > lower_step + step)
            add(of_upper, upper_, lower_, lower_step, upper_untoned_);
    }

    /// Whether what differs ends soon, away from an edge.
    bool is_narrow(int x, int y, int dx, int dy) const {
        for (int width = 1; width <= most_stroke; ++width) {
            const int u = x - width * dx, v = y - width * dy;
            if (u < 0 || v < 0 || u >= overlay_.width || v >= overlay_.height || !own_.at(u, v))
                return true;
        }
        return false;
    }

    /// See OwnParts::filled. @param levels  of the image that begins more
    Box filled(const std::vector<float> &levels) const {
        constexpr double least = 0.01; // of the images
        const int wide = std::max(gap, std::min(overlay_.width, overlay_.height) / 24);
        const Spread closed = Spread(overlay_, own_).grown(wide).shrunk(wide);
        const Spread deep = Spread(overlay_, own_).shrunk(wide / 2); // strokes are thinner
        const auto is_closed = [&](int x, int y) { return closed.at(x, y); };
        Box all;
        for (const auto &part : parts_of(overlay_.width, overlay_.height, is_closed)) {
            Blob blob{.pixels = part.size()};
            for (const auto &[x, y] : part) {
                if (!own_.at(x, y)) continue;
                blob.box.add(x, y);
                ++blob.differing;
                blob.deep += deep.at(x, y);
            }
            if (blob.differing == 0) continue;
            const Box &box = blob.box;
            if (static_cast<double>(box.width()) * box.height() <
                    least * overlay_.width * overlay_.height ||
                !may_be_picture(blob, levels))
                continue;
            all.add(box.left, box.top);
            all.add(box.right, box.bottom);
        }
        return all;
    }

    /// Letters leave more between them than a picture does, and have two levels: their own and that
    /// of their outlines. So do most stickers.
    bool may_be_picture(const Blob &blob, const std::vector<float> &levels) const {
        constexpr double nearly = 0.85, greater_part = 0.35, long_by = 2.5;
        constexpr double half = 0.5, mostly_deep = 0.15, most_of_two = 0.55, most_if_deep = 0.75;
        const bool is_long = blob.box.width() >= long_by * blob.box.height();
        const bool is_rectangle =
            blob.share(blob.pixels) >= nearly && blob.share(blob.differing) >= greater_part;
        if (is_rectangle && !is_long) return true;
        const auto of_two = [&](const std::vector<float> &image) {
            return own_levels(blob.box, image).share_of_two();
        };
        if (is_rectangle)
            return std::max(of_two(overlay_.lower), of_two(overlay_.plain)) < most_of_two;
        const auto differing = static_cast<double>(blob.differing);
        return differing >= half * static_cast<double>(blob.pixels) &&
               static_cast<double>(blob.deep) >= mostly_deep * differing &&
               of_two(levels) < most_if_deep;
    }

    /// An image's levels where it differs within a box.
    LevelCounts own_levels(const Box &box, const std::vector<float> &levels) const {
        LevelCounts counts;
        for (int y = box.top; y <= box.bottom; ++y)
            for (int x = box.left; x <= box.right; ++x)
                if (own_.at(x, y)) counts.add(levels[overlay_.at(x, y)]);
        return counts;
    }

    bool is_toned() const {
        double change = 0, count = 0;
        for (std::size_t i = 0; i < overlay_.covered.size(); ++i) {
            if (overlay_.covered[i] == 0) continue;
            change += std::abs(double{overlay_.upper[i]} - overlay_.plain[i]);
            count += 1;
        }
        return change > most_untoned * count;
    }

    DifferingLevels levels(const Begun &of_lower, const Begun &of_upper) const {
        DifferingLevels levels{
            .width = overlay_.width, .height = overlay_.height, .toned = is_toned()};
        for (int y = 0; y < overlay_.height; ++y)
            for (int x = 0; x < overlay_.width; ++x) {
                levels.differs.push_back(differs_.at(x, y));
                levels.own.push_back(own_.at(x, y));
                levels.lower.push_back(static_cast<float>(lower_.at(x, y)));
                levels.upper_as_lower.push_back(static_cast<float>(upper_as_lower_.at(x, y)));
                levels.lower_as_upper.push_back(static_cast<float>(lower_as_upper_.at(x, y)));
                levels.upper.push_back(static_cast<float>(upper_.at(x, y)));
            }
        levels.begun.resize(levels.own.size());
        for (const std::size_t place : of_lower.places) ++levels.begun[place];
        for (const std::size_t place : of_upper.places) --levels.begun[place];
        return levels;
    }

    /// How much levels change where both differ, and around that.
    void measure_changes(OwnParts &parts) const {
        const Spread core = Spread(overlay_, own_).shrunk(thick);
        const Spread inner = closed_.grown(around_from), outer = closed_.grown(around_to);
        std::array<double, 2> within{}, around{}; // of the lower image and the upper one
        std::size_t count_around = 0;
        for (int y = 2; y + 2 < overlay_.height; ++y)
            for (int x = 2; x + 2 < overlay_.width; ++x) {
                const bool is_around = outer.at(x, y) && !inner.at(x, y);
                if (!known_.at(x, y) || !(own_.at(x, y) || is_around)) continue;
                std::array<double, 2> &sums = is_around ? around : within;
                sums[0] += change_at(overlay_.lower, x, y);
                sums[1] += change_at(overlay_.plain, x, y);
                ++(is_around ? count_around : parts.pixels);
                parts.thick_pixels += !is_around && core.at(x, y);
            }
        if (parts.pixels > 0)
            parts.change = std::min(within[0], within[1]) / static_cast<double>(parts.pixels);
        if (count_around > 0)
            parts.change_around =
                std::max(around[0], around[1]) / static_cast<double>(count_around);
    }

    double change_at(const std::vector<float> &levels, int x, int y) const {
        return std::max(std::abs(levels[overlay_.at(x + 1, y)] - levels[overlay_.at(x - 1, y)]),
                        std::abs(levels[overlay_.at(x, y + 1)] - levels[overlay_.at(x, y - 1)]));
    }

    const Overlay &overlay_;
    const Averages lower_, upper_as_lower_, upper_, lower_as_upper_;
    const Mask covered_, known_;
    const Mask lower_untoned_,
        upper_untoned_; ///< the other's level is not what this one's tone says
    const Mask differs_, core_, own_;
    const Spread closed_;
};

} // namespace

bool OwnParts::of_both() const {
    const std::size_t less = std::min(lower_unhidden, upper_unhidden);
    return (less >= least_edge &&
            static_cast<double>(less) >= least_share * static_cast<double>(lower + upper)) ||
           are_captions();
}

bool OwnParts::are_captions() const {
    const auto [less, more] = std::minmax(lower_narrow, upper_narrow);
    const auto thick_share_is_below = [this](double most) {
        return static_cast<double>(thick_pixels) <= most * static_cast<double>(pixels);
    };
    if (less >= least_narrow &&
        static_cast<double>(less) >= least_narrow_share * static_cast<double>(more))
        return thick_share_is_below(most_thick_share);
    return pixels >= least_pixels && change >= least_change &&
           change >= change_of_letters * change_around &&
           thick_share_is_below(most_thick_share_changing);
}

OwnParts own_parts(const Overlay &overlay) {
    return Differences(overlay).parts();
}

} // namespace bowhist
