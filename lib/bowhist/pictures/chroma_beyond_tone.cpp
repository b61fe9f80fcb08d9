#include <bowhist/pictures/chroma_beyond_tone.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/jpeg/jpeg_rows.hpp>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

constexpr std::size_t knots = 17; ///< of the tone curve, 16 levels of luma apart
constexpr int levels_between = 16;
constexpr std::size_t least_blocks = 16;

/// The sums of a block's pixels.
struct Block {
    std::array<std::int64_t, knots> weights = {}; ///< of the knots, in sixteenths of a pixel
    std::int64_t blue = 0;                        ///< chroma less 128
    std::int64_t red = 0;

    void add(const std::uint8_t *pixel) {
        const std::size_t knot = pixel[0] / levels_between;
        const int above = pixel[0] % levels_between;
        weights[knot] += levels_between - above;
        weights[knot + 1] += above;
        blue += pixel[1] - 128;
        red += pixel[2] - 128;
    }
};

/// Whole blocks alone; what is left at the right and the bottom does not count.
std::vector<Block> blocks_of(JpegRows &rows, int side) {
    const auto across = static_cast<std::size_t>(rows.size().width / side);
    const int down = rows.size().height / side;
    std::vector<Block> blocks(across * static_cast<std::size_t>(down));
    for (int y = 0; y < rows.size().height; ++y) {
        const std::uint8_t *pixel = rows.next();
        if (y >= down * side) continue;
        Block *block = blocks.data() + static_cast<std::size_t>(y / side) * across;
        for (std::size_t i = 0; i < across; ++i, ++block)
            for (int x = 0; x < side; ++x, pixel += 3) block->add(pixel);
    }
    rows.finish();
    return blocks;
}

/// The curve's equations: a matrix, and both chromas on the right.
struct Equations {
    std::array<std::array<double, knots>, knots> matrix = {};
    std::array<std::array<double, knots>, 2> right = {};

    /// Sums of whole numbers below 2^53: exact in any order.
    void add(const Block &block) {
        for (std::size_t i = 0; i < knots; ++i) {
            if (block.weights[i] == 0) continue;
            for (std::size_t j = 0; j < knots; ++j)
                matrix[i][j] += static_cast<double>(block.weights[i] * block.weights[j]);
            right[0][i] += static_cast<double>(block.weights[i] * block.blue);
            right[1][i] += static_cast<double>(block.weights[i] * block.red);
        }
    }

    /// Keeps the curve smooth where no pixels are, by its second differences.
    void smooth(double weight) {
        constexpr std::array<double, 3> difference = {1, -2, 1};
        for (std::size_t first = 0; first + 2 < knots; ++first)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    matrix[first + i][first + j] += weight * difference[i] * difference[j];
        for (std::size_t i = 0; i < knots; ++i) matrix[i][i] += weight * 1e-6;
    }

    /// Solves them by elimination; right then holds the curves. The matrix is positive definite.
    void solve() {
        for (std::size_t k = 0; k < knots; ++k)
            for (std::size_t i = k + 1; i < knots; ++i) {
                const double factor = matrix[i][k] / matrix[k][k];
                for (std::size_t j = k; j < knots; ++j) matrix[i][j] -= factor * matrix[k][j];
                for (auto &side : right) side[i] -= factor * side[k];
            }
        for (auto &side : right)
            for (std::size_t k = knots; k-- > 0;) {
                for (std::size_t j = k + 1; j < knots; ++j) side[k] -= matrix[k][j] * side[j];
                side[k] /= matrix[k][k];
            }
    }
};

/// The square of a block's chroma that the curves leave, in sums over its pixels.
double square_left(const Block &block, const Equations &solved) {
    double blue = static_cast<double>(block.blue);
    double red = static_cast<double>(block.red);
    for (std::size_t i = 0; i < knots; ++i) {
        const auto weight = static_cast<double>(block.weights[i]);
        blue -= weight * solved.right[0][i];
        red -= weight * solved.right[1][i];
    }
    return blue * blue + red * red;
}

std::optional<std::int64_t> measure(JpegRows &rows) {
    if (!rows.has_luma()) return std::nullopt;
    const PixelSize size = rows.full_size();
    const auto blocks_across = [&](int side) { return (size.width / side) * (size.height / side); };
    const int side = blocks_across(16) >= 64 ? 16 : 8;
    rows.start_with_chroma(1);
    const std::vector<Block> blocks = blocks_of(rows, side);
    if (blocks.size() < least_blocks || !rows.damage().empty()) return std::nullopt;
    Equations equations;
    for (const Block &block : blocks) equations.add(block);
    const double pixels = side * side;
    const double weight_of_block = pixels * levels_between;
    equations.smooth(weight_of_block * weight_of_block);
    equations.solve();
    double squares = 0;
    for (const Block &block : blocks) squares += square_left(block, equations);
    const double mean = squares / static_cast<double>(blocks.size()) / (pixels * pixels);
    return std::llround(1000 * std::sqrt(mean));
}

} // namespace

std::optional<std::int64_t> chroma_beyond_tone(std::string_view jpeg) {
    constexpr std::uint64_t most_pixels = std::uint64_t{1} << 20; // far more than a thumbnail's
    const auto header = read_image_header(jpeg);
    const bool is_plain = header && header->decoder == Decoder::libjpeg && !header->is_arithmetic &&
                          header->complete && header->passes <= 16 &&
                          header->width * header->height <= most_pixels;
    if (!is_plain) return std::nullopt;
    try {
        JpegRows rows(jpeg);
        const PixelSize size = rows.full_size();
        const bool is_checked = std::cmp_equal(size.width, header->width) &&
                                std::cmp_equal(size.height, header->height);
        if (!is_checked) return std::nullopt;
        return measure(rows);
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return std::nullopt;
    }
}

} // namespace bowhist
