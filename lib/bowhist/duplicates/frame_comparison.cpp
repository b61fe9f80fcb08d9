#include <bowhist/duplicates/frame_comparison.hpp>

#include <bowhist/duplicates/pages.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>
#include <bowhist/duplicates/pixels/letter_test.hpp>
#include <bowhist/pictures/area_average.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

// Two encodings of a frame: GIF with 256 colors against WebP of quality 60, and halved, change
// single blocks by up to 25 levels and 99 % by up to 8. Things that move change blocks by 60.
constexpr int cell_side = 4;                ///< pixels; a block is 2 x 2 cells
constexpr double most_of_a_block = 32;      ///< levels, between the means of two blocks
constexpr double most_of_the_rest = 12;     ///< of 95 % of the blocks
constexpr double most_of_all = 4;           ///< between the means of two frames
constexpr int least_edge = 32;              ///< levels, within a cell
constexpr double exact_cell = 1;            ///< levels between pixels of a cell, in the mean
constexpr double most_of_an_exact_cell = 8; ///< where encodings lose nothing: half a pixel
constexpr double visible_way = 8;           ///< levels between the means of a block in two frames
constexpr double most_of_a_way = 0.45;      ///< another frame leaves half of it or more
constexpr double most_pixels_apart = 2;     ///< of the sides, when both frames have one width

// The letter test leaves 0.5 of another number, or of a ball of 2 % of the width: 6 times as much
// as usual. Other encodings leave 0.28. The dots of a GIF leave 0.59, 4 times as much as usual.
constexpr double changed_beside_usual = 0.3;
constexpr double beyond_usual = 4.5;
constexpr double changed_surely = 0.65;
constexpr double page_share = 0.75; ///< of about one level: the paper
constexpr int page_side = 256;      ///< pixels of a view that shows whether a frame is a page

bool fit(const Image &one, const Image &other) {
    if (std::min({one.width, one.height, other.width, other.height}) < 1) return false;
    const auto [small, large] =
        std::minmax(one, other, [](const Image &a, const Image &b) { return a.width < b.width; });
    const double height = 1.0 * large.height * small.width / large.width;
    return std::abs(height - small.height) <= most_pixels_apart;
}

/// Two frames of one size in small squares of pixels.
struct Cells {
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::size_t smaller_side = 0; ///< pixels
    // of each square, row after row
    std::vector<double> first, second; ///< means
    std::vector<double> apart;         ///< mean distance of the pixels
    std::vector<char> has_edge;
};

/// Measures a square of pixels in both rasters.
void add_cell(const Raster &one, const Raster &other, const PartOfImage &part, Cells &cells) {
    double first = 0, second = 0, apart = 0, pixels = 0;
    int least = 255, most = 0, other_least = 255, other_most = 0;
    for (int y = part.top; y < part.bottom; ++y)
        for (int x = part.left; x < part.right; ++x) {
            const std::size_t at =
                static_cast<std::size_t>(y) * one.row_samples() + static_cast<std::size_t>(x);
            const int a = one.samples[at], b = other.samples[at];
            first += a;
            second += b;
            apart += std::abs(a - b);
            least = std::min(least, a);
            most = std::max(most, a);
            other_least = std::min(other_least, b);
            other_most = std::max(other_most, b);
            ++pixels;
        }
    cells.first.push_back(first / pixels);
    cells.second.push_back(second / pixels);
    cells.apart.push_back(apart / pixels);
    cells.has_edge.push_back(std::max(most - least, other_most - other_least) >= least_edge);
}

Raster in_size(const Image &image, PixelSize size) {
    return shrink({.width = image.width, .height = image.height, .samples = image.pixels}, size);
}

/// Two frames in the smaller size of both.
struct FramePair {
    Raster one, other;
};

/// REQUIRES: they fit
FramePair in_one_size(const Image &one, const Image &other) {
    const PixelSize size{std::min(one.width, other.width), std::min(one.height, other.height)};
    return {in_size(one, size), in_size(other, size)};
}

Cells cells_of(const FramePair &pair) {
    const auto &[one, other] = pair;
    const int columns = std::max(1, one.width / cell_side);
    const int rows = std::max(1, one.height / cell_side);
    Cells cells;
    cells.columns = static_cast<std::size_t>(columns);
    cells.rows = static_cast<std::size_t>(rows);
    cells.smaller_side = static_cast<std::size_t>(std::min(one.width, one.height));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            add_cell(one, other,
                     {column * one.width / columns, row * one.height / rows,
                      (column + 1) * one.width / columns, (row + 1) * one.height / rows},
                     cells);
    return cells;
}

/// Looks at frames that agree as far as blocks show it.
void compare_letters(const FramePair &pair, FrameComparison &frame) {
    const auto &[one, other] = pair;
    if (one.samples == other.samples) return;
    Overlay overlay;
    overlay.width = one.width;
    overlay.height = one.height;
    overlay.lower.assign(one.samples.begin(), one.samples.end());
    overlay.upper.assign(other.samples.begin(), other.samples.end());
    overlay.covered.assign(one.samples.size(), 1);
    const LetterAgreement letters = letter_agreement(overlay);
    frame.agree = letters.changed < changed_surely;
    PixelComparison pixels;
    for (const Raster *raster : {&one, &other}) {
        const PixelSize small = shrunk({raster->width, raster->height}, page_side);
        const double even = even_share({small.width, small.height, shrink(*raster, small).samples});
        pixels.even = raster == &one ? even : std::min(pixels.even, even);
    }
    if (pixels.even >= page_share) {
        Judgement judgement{.copy = true, .overlap = 1};
        frame.doubtful = settle_page({.letters = letters, .compared = frame.compared}, pixels,
                                     judgement, judgement);
        frame.agree &= judgement.copy;
    } else {
        frame.agree &= letters.changed < changed_beside_usual ||
                       letters.changed < beyond_usual * letters.usual;
    }
}

/// The means of blocks of 2 x 2 cells, each a step of one cell from the next.
std::vector<double> block_means(const Cells &cells, const std::vector<double> &means) {
    const std::size_t right = cells.columns > 1, below = cells.rows > 1;
    std::vector<double> blocks;
    for (std::size_t y = 0; y + below < cells.rows; ++y)
        for (std::size_t x = 0; x + right < cells.columns; ++x) {
            const std::size_t cell = y * cells.columns + x;
            const std::size_t under = cell + below * cells.columns;
            blocks.push_back(
                (means[cell] + means[cell + right] + means[under] + means[under + right]) / 4);
        }
    return blocks;
}

/// How far the other file's frame is along the way from a frame to the next one, where something
/// moves: 0 if it equals the frame, 1 if it equals the next one.
double share_of_way(const std::vector<double> &frame, const std::vector<double> &other,
                    const std::vector<double> &end) {
    double along = 0, length = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const double way = end[i] - frame[i];
        if (std::abs(way) < visible_way) continue;
        along += (other[i] - frame[i]) * way;
        length += way * way;
    }
    return length > 0 ? along / length : 0;
}

/// Whether what moves between two frames lies at the same places in both files, however little it
/// differs from its ground.
bool move_alike(const Cells &now, const Cells &next) {
    if (now.columns != next.columns || now.rows != next.rows) return true;
    const auto first = block_means(now, now.first), second = block_means(now, now.second);
    const auto first_next = block_means(next, next.first);
    const auto second_next = block_means(next, next.second);
    return share_of_way(first, second, first_next) < most_of_a_way &&
           share_of_way(second, first, second_next) < most_of_a_way &&
           share_of_way(first_next, second_next, first) < most_of_a_way &&
           share_of_way(second_next, first_next, second) < most_of_a_way;
}

/// Whether three quarters of the edges are the same: both encodings are without loss.
bool are_exact(const Cells &cells) {
    std::size_t edges = 0, same = 0;
    for (std::size_t i = 0; i < cells.apart.size(); ++i) {
        if (cells.has_edge[i] == 0) continue;
        ++edges;
        same += cells.apart[i] <= exact_cell;
    }
    return 4 * same >= 3 * edges;
}

double mean_of(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

/// 0 to 1; 1 where one frame has a single level.
double correlation(const Cells &cells) {
    const double first_mean = mean_of(cells.first), second_mean = mean_of(cells.second);
    double first = 0, second = 0, both = 0;
    for (std::size_t i = 0; i < cells.first.size(); ++i) {
        const double a = cells.first[i] - first_mean, b = cells.second[i] - second_mean;
        first += a * a;
        second += b * b;
        both += a * b;
    }
    return first > 0 && second > 0 ? std::clamp(both / std::sqrt(first * second), 0.0, 1.0) : 1;
}

FrameComparison compare(const Cells &cells) {
    std::vector<double> blocks = block_means(cells, cells.first);
    const std::vector<double> others = block_means(cells, cells.second);
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = std::abs(blocks[i] - others[i]);
    std::ranges::sort(blocks);
    const bool is_near = blocks.back() <= most_of_a_block &&
                         blocks[blocks.size() * 19 / 20] <= most_of_the_rest &&
                         std::abs(mean_of(cells.first) - mean_of(cells.second)) <= most_of_all;
    return {.agree = is_near &&
                     (!are_exact(cells) || std::ranges::max(cells.apart) <= most_of_an_exact_cell),
            .score = correlation(cells),
            .compared = cells.smaller_side};
}

} // namespace

FrameComparison compare_frames(const Image &one, const Image &other) {
    return fit(one, other) ? compare(cells_of(in_one_size(one, other))) : FrameComparison{};
}

FrameComparison compare_all_frames(std::span<const Image> one, std::span<const Image> other) {
    if (one.size() != other.size()) return {};
    FrameComparison least;
    bool doubtful = false;
    Cells before;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (!fit(one[i], other[i])) return {};
        const FramePair pair = in_one_size(one[i], other[i]);
        Cells cells = cells_of(pair);
        FrameComparison frame = compare(cells);
        frame.agree = frame.agree && (i == 0 || move_alike(before, cells));
        if (frame.agree) compare_letters(pair, frame);
        if (!frame.agree) return frame;
        doubtful |= frame.doubtful;
        if (i == 0 || frame.score < least.score) least = frame;
        before = std::move(cells);
    }
    least.doubtful = doubtful;
    return least;
}

FrameComparison compare_later_frames(const Image &still, std::span<const Image> frames) {
    FrameComparison best;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const FrameComparison frame = compare_frames(still, frames[i]);
        if (frame.agree > best.agree || (frame.agree == best.agree && frame.score > best.score))
            best = frame;
    }
    return best;
}

} // namespace bowhist
