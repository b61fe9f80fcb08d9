#include <bowhist/duplicates/pixels/beyond.hpp>

#include <bowhist/duplicates/pixels/block_test.hpp>
#include <bowhist/duplicates/pixels/level_counts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bowhist {
namespace {

constexpr int reach = 3;               ///< pixels from one side of the edge to the other
constexpr float near_edge = 12;        ///< pixels: lines beside the edge that are compared with it
constexpr float border = 0.5F;         ///< pixels from the middle of the last pixel to the edge
constexpr double close_scale = 1.3;    ///< of 420 crops, 2 % have more than 1.6 by adjacent pixels
constexpr int break_reach = 10;        ///< pixels along a line that crosses the edge
constexpr int gap = 4;                 ///< pixels that may lie between pictures
constexpr int most_change = 80;        ///< levels: a few strong edges must not decide
constexpr double own_change = 1.5;     ///< levels that noise changes
constexpr double least_change = 4;     ///< levels: a side that changes less proves nothing
constexpr double least_crossings = 30; ///< pixels of a side
constexpr float beyond_blur = 2;       ///< pixels from the edge
constexpr int ground_levels = 24;      ///< that plain ground may differ by
constexpr double visible_texture = 6;  ///< deviation of a block's levels
constexpr double mirror_correlation = 0.8; ///< of what changes within blocks
constexpr double mirrored_share = 0.8;     ///< of what lies beyond: it may be wider than the other
constexpr double mirror_seam = 100;        ///< of a mirrored image beside itself, which has no seam

/// Sums of how levels change over a few pixels.
struct Change {
    double sum = 0, count = 0;

    void add(int difference) {
        sum += std::min(difference, most_change);
        count += 1;
    }
    void add(const Change &more) {
        sum += more.sum;
        count += more.count;
    }
    double mean() const { return count > 0 ? sum / count : 0; }
};

class Divided {
  public:
    Divided(const Image &image, const AffineMap &map, const Image &other) : image_(image) {
        outside_.reserve(image.pixels.size());
        side_.reserve(image.pixels.size());
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const double u = map.a11 * x + map.a12 * y + map.tx;
                const double v = map.a21 * x + map.a22 * y + map.ty;
                const std::array<double, 4> beyond{-u, -v, u - other.width + 1,
                                                   v - other.height + 1};
                const auto farthest = std::ranges::max_element(beyond);
                outside_.push_back(static_cast<float>(*farthest));
                side_.push_back(static_cast<std::uint8_t>(farthest - beyond.begin()));
            }
    }

    Beyond beyond() const {
        LevelCounts levels;
        for (std::size_t i = 0; i < outside_.size(); ++i)
            if (is_beyond(i)) levels.add(image_.pixels[i]);
        const std::size_t count = levels.all();
        if (count == 0) return {};
        Beyond result;
        result.share = static_cast<double>(count) / static_cast<double>(outside_.size());
        result.flat = levels.flatness();
        result.crossed = crossed(levels.ground());
        measure_edge(result);
        result.thick = thick_blocks();
        return result;
    }

  private:
    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
               static_cast<std::size_t>(x);
    }
    bool is_beyond(std::size_t pixel) const { return outside_[pixel] > 1; }

    /// How levels change at the edge of what both show.
    struct EdgeChanges {
        std::array<Change, 4> across, beside;             // of each side
        std::array<Change, 4> close_across, close_beside; // by adjacent pixels
        Change inside;

        double seam_of_side(std::size_t side) const {
            return seam(across[side], beside[side], close_across[side], close_beside[side]);
        }
        static double seam(const Change &across, const Change &beside, const Change &close_across,
                           const Change &close_beside) {
            return std::max(seam_of(across, beside),
                            seam_of(close_across, close_beside) / close_scale);
        }
    };

    std::uint8_t side_between(std::size_t one, std::size_t other) const {
        return outside_[one] > outside_[other] ? side_[one] : side_[other];
    }
    int difference_of(std::size_t one, std::size_t other) const {
        return std::abs(int{image_.pixels[one]} - int{image_.pixels[other]});
    }

    void compare(std::size_t one, std::size_t other, EdgeChanges &changes) const {
        const int difference = difference_of(one, other);
        const auto [near, far] = std::minmax(outside_[one], outside_[other]);
        const std::uint8_t side = side_between(one, other);
        if (is_beyond(one) != is_beyond(other)) changes.across[side].add(difference);
        if (far <= -reach) changes.inside.add(difference);
        if (far - near < reach - 1) return; // along the edge
        const bool within = near > -near_edge && far < -1;
        const bool without = near > reach && far < near_edge + reach;
        if (within || without) changes.beside[side].add(difference);
    }

    /// Adjacent pixels show the seam of pictures with nothing between them.
    void compare_adjacent(std::size_t one, std::size_t other, EdgeChanges &changes) const {
        const auto [near, far] = std::minmax(outside_[one], outside_[other]);
        if (far - near < border || near < -near_edge || far > near_edge) return;
        const std::uint8_t side = side_between(one, other);
        if (near <= border && far >= border)
            changes.close_across[side].add(difference_of(one, other));
        else if (far < -1 || near > 1)
            changes.close_beside[side].add(difference_of(one, other));
    }

    EdgeChanges edge_changes() const {
        EdgeChanges changes;
        for (int y = 0; y < image_.height; ++y)
            for (int x = 0; x < image_.width; ++x) {
                if (x + reach < image_.width) compare(at(x, y), at(x + reach, y), changes);
                if (y + reach < image_.height) compare(at(x, y), at(x, y + reach), changes);
                if (x + 1 < image_.width) compare_adjacent(at(x, y), at(x + 1, y), changes);
                if (y + 1 < image_.height) compare_adjacent(at(x, y), at(x, y + 1), changes);
            }
        return changes;
    }

    void measure_edge(Beyond &result) const {
        const EdgeChanges changes = edge_changes();
        result.breaks = breaks();
        Change across, beside, close_across, close_beside;
        for (std::size_t side = 0; side < 4; ++side) {
            if (changes.across[side].count == 0) continue;
            across.add(changes.across[side]);
            beside.add(changes.beside[side]);
            close_across.add(changes.close_across[side]);
            close_beside.add(changes.close_beside[side]);
            if (changes.across[side].count < least_crossings ||
                change_of(changes.across[side], changes.beside[side]) < least_change)
                continue;
            const double seam = changes.seam_of_side(side);
            result.most_seam = std::max(result.most_seam, seam);
            result.least_seam = result.least_seam == 0 ? seam : std::min(result.least_seam, seam);
        }
        if (across.count == 0) return;
        result.seam = EdgeChanges::seam(across, beside, close_across, close_beside);
        result.change = change_of(across, beside);
        if (changes.inside.count > 0) result.step = across.mean() - changes.inside.mean();
        if (result.least_seam == 0) result.least_seam = result.most_seam = result.seam;
    }

    /// A pixel's width away from the edge, where what lies within is blurred into what is around
    /// it.
    double crossed(int ground) const {
        LevelCounts along;
        for (std::size_t i = 0; i < outside_.size(); ++i)
            if (outside_[i] > beyond_blur && outside_[i] <= beyond_blur + reach)
                along.add(image_.pixels[i]);
        const std::size_t all = along.all();
        if (all == 0) return 0;
        const std::size_t others = all - along.near(ground, ground_levels);
        return static_cast<double>(others) / static_cast<double>(all);
    }

    /// The share of lines across the edge whose largest step is the one at the edge.
    double breaks() const {
        std::size_t crossings = 0, breaks = 0;
        const auto look = [&](int place, int length, std::size_t pixel, std::size_t step) {
            if (place < break_reach || place + break_reach + 1 >= length) return;
            if (is_beyond(pixel) == is_beyond(pixel + step)) return;
            int here = 0, near = 0;
            for (int i = -break_reach; i <= break_reach; ++i) {
                const std::size_t one = pixel + static_cast<std::size_t>(i) * step;
                const int difference =
                    std::abs(int{image_.pixels[one]} - int{image_.pixels[one + step]});
                if (std::abs(i) <= 1) here = std::max(here, difference);
                if (std::abs(i) > gap) near = std::max(near, difference);
            }
            ++crossings;
            breaks += here > near;
        };
        const auto row = static_cast<std::size_t>(image_.width);
        for (int y = 0; y < image_.height; ++y)
            for (int x = 0; x < image_.width; ++x) {
                look(x, image_.width, at(x, y), 1);
                look(y, image_.height, at(x, y), row);
            }
        return crossings > 0 ? static_cast<double>(breaks) / static_cast<double>(crossings) : 0;
    }

    static double seam_of(const Change &across, const Change &beside) {
        return across.mean() / (beside.mean() + own_change);
    }
    static double change_of(const Change &across, const Change &beside) {
        return std::max(across.mean(), beside.mean());
    }

    /// Blocks that have texture, as all blocks around them have.
    std::size_t thick_blocks() const {
        const int columns = image_.width / block_side, rows = image_.height / block_side;
        std::vector<std::uint8_t> textured;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                textured.push_back(is_textured(column * block_side, row * block_side));
        std::size_t thick = 0;
        for (int row = 1; row + 1 < rows; ++row)
            for (int column = 1; column + 1 < columns; ++column) {
                int around = 0;
                for (int v = row - 1; v <= row + 1; ++v)
                    for (int u = column - 1; u <= column + 1; ++u)
                        around += textured[static_cast<std::size_t>(v * columns + u)];
                thick += around == 9;
            }
        return thick;
    }

    /// Whether a block lies beyond and shows something.
    bool is_textured(int left, int top) const {
        constexpr double n = block_side * block_side;
        double sum = 0, squares = 0;
        for (int y = top; y < top + block_side; ++y)
            for (int x = left; x < left + block_side; ++x) {
                if (!is_beyond(at(x, y))) return false;
                const double level = image_.pixels[at(x, y)];
                sum += level;
                squares += level * level;
            }
        const double mean = sum / n;
        return squares / n - mean * mean >= visible_texture * visible_texture;
    }

    const Image &image_;
    std::vector<std::uint8_t> side_; ///< of the edge that is nearest
    std::vector<float> outside_; ///< pixels from the edge of what the other shows; below 0: within
};

/// A place on a line of pixels, folded at the ends into it, if one fold is enough.
double folded(double place, int length) {
    if (place < 0) return -1 - place;
    return place > length - 1 ? 2 * length - 1 - place : place;
}

double level_at(const Image &image, double x, double y) {
    const int left = std::min(static_cast<int>(x), image.width - 2);
    const int top = std::min(static_cast<int>(y), image.height - 2);
    const double right = x - left, below = y - top;
    const auto pixel = image.pixels.begin() + std::ptrdiff_t{top} * image.width + left;
    const auto next = pixel + image.width;
    return (1 - below) * ((1 - right) * pixel[0] + right * pixel[1]) +
           below * ((1 - right) * next[0] + right * next[1]);
}

/// Sums of two levels of each pixel in a block.
struct PairSums {
    double n = 0, one = 0, other = 0, ones = 0, others = 0, both = 0;

    void add(double level, double mirrored) {
        n += 1;
        one += level;
        other += mirrored;
        ones += level * level;
        others += mirrored * mirrored;
        both += level * mirrored;
    }
};

/// Whether what lies beyond is the other image again, mirrored at the edge. Only what changes
/// within blocks says so: sky above and sand below are mirror images of themselves.
bool is_mirrored_beyond(const Image &image, const AffineMap &map, const Image &other) {
    if (std::min(other.width, other.height) < 2 || other.pixels.empty()) return false;
    const int columns = image.width / block_side + 1, rows = image.height / block_side + 1;
    std::vector<PairSums> blocks(static_cast<std::size_t>(columns) *
                                 static_cast<std::size_t>(rows));
    double beyond = 0, n = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const double u = map.a11 * x + map.a12 * y + map.tx;
            const double v = map.a21 * x + map.a22 * y + map.ty;
            const double right = other.width - 1, bottom = other.height - 1;
            if (std::max({-u, -v, u - right, v - bottom}) <= 1) continue;
            ++beyond;
            const double across = folded(u, other.width), down = folded(v, other.height);
            if (std::min(across, down) < 0 || across > right || down > bottom) continue;
            ++n;
            blocks[static_cast<std::size_t>(y / block_side * columns + x / block_side)].add(
                image.pixels[static_cast<std::size_t>(y * image.width + x)],
                level_at(other, across, down));
        }
    if (n == 0 || n < mirrored_share * beyond) return false;
    double common = 0, squares = 0, mirrored_squares = 0;
    for (const PairSums &block : blocks) {
        if (block.n == 0) continue;
        common += block.both - block.one * block.other / block.n;
        squares += block.ones - block.one * block.one / block.n;
        mirrored_squares += block.others - block.other * block.other / block.n;
    }
    return common > 0 &&
           common * common >= mirror_correlation * mirror_correlation * squares * mirrored_squares;
}

} // namespace

Beyond beyond(const Image &image, const AffineMap &map, const Image &other) {
    Beyond result = Divided(image, map, other).beyond();
    if (result.share > 0 && is_mirrored_beyond(image, map, other))
        result.seam = result.least_seam = result.most_seam = mirror_seam;
    return result;
}

} // namespace bowhist
