#pragma once

#include <bowhist/pictures/raster.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bowhist {

struct PixelSize {
    int width = 0;
    int height = 0;

    bool operator==(const PixelSize &) const = default;
};

/// The size of an image whose longer side shrinks to `side` pixels; a smaller image keeps its
/// size, and so does every image when `side` is 0.
PixelSize boxed(PixelSize full, int side);

/// The same, but the short side of a long strip, of more than 6 to 1, keeps a sixth of `side`, or
/// as much as leaves `side` x `side` pixels in all. Never larger than `full`.
PixelSize shrunk(PixelSize full, int side);

/// Shrinks an image while its rows arrive: each new pixel is the average of the area that it
/// covers, in float32. The same bytes as cv::resize with INTER_AREA.
///
/// An image that keeps its size is copied.
class AreaAverage {
  public:
    /// `to` is nowhere larger than `from`.
    AreaAverage(PixelSize from, PixelSize to, Color color);

    /// Takes the image's next row.
    void add(const std::uint8_t *row);

    /// The shrunk image; whole when all rows were added.
    Raster take() { return std::move(result_); }

  private:
    /// A part of an old pixel within a new one.
    struct Share {
        int to;
        int from;
        float weight;
    };
    static std::vector<Share> shares(int from, int to);

    /// The shares of each new column, as many for every one: some weigh nothing.
    struct Columns {
        std::size_t shares = 0;     ///< of one column
        std::vector<int> first;     ///< old column of each new one
        std::vector<float> weights; ///< of the first column, of the second, ...
    };
    static Columns columns(int from, int to);

    void add_whole(const std::uint8_t *row);
    void add_weighted(const std::uint8_t *row);
    void average_across(const std::uint8_t *row);
    std::uint8_t *result_row(int y);

    Raster result_;
    PixelSize block_; ///< old pixels in a new one, where both are whole numbers; else 0
    int next_row_ = 0;
    std::vector<int> totals_; ///< of the blocks in work
    Columns columns_;
    std::vector<float> samples_;  ///< of the newest row
    std::vector<Share> rows_;     ///< in the order of `from`
    std::size_t next_share_ = 0;  ///< in rows_
    std::vector<float> row_;      ///< the newest row, averaged across
    std::vector<float> averages_; ///< of the new row in work
};

/// The image at that size, which is nowhere larger than its own.
Raster shrink(const Raster &image, PixelSize to);

} // namespace bowhist
