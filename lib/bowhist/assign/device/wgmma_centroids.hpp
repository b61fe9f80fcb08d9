#pragma once

#include <bowhist/assign/device/matrix_centroids.hpp>

namespace bowhist {

/// A vocabulary of up to 64 dimensions in fp16, as gpu7_wgmma.cl copies it to local memory: tiles
/// of 64 centroids, a row of 128 bytes each, and behind them rows of 32 bytes for the last step of
/// the product. Scale, norms and residuals are those of MatrixCentroids.
///
/// Rows are swizzled as the matrix descriptor says (PTX ISA, "Swizzling modes"): within eight rows
/// the 16-byte pieces change places by the row's number. Row 8 b + 2 t + e of a tile is centroid 16
/// t + 2 b + e, so that the columns that a work-item gets are 16 neighbors. A score is M + x·c −
/// |c|²/2, M being 1.5 times the power of two `lowest`.
struct WgmmaCentroids {
    WgmmaCentroids(const Vocabulary &vocabulary, const MatrixCentroids &rounded);

    std::size_t tiles = 0;
    std::vector<std::uint16_t> values; ///< [tile][row][64]
    std::vector<std::uint16_t> lasts;  ///< [tile][row][16]: M/256, three parts of −|c|²/2, zeros
    float lowest = 0;                  ///< a power of two; all scores lie between it and its double
};

} // namespace bowhist
