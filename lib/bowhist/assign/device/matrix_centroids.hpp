#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/opencl.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// How far centroids extend that are scaled by a power of two to suit fp16's range, ĉ being c
/// rounded to fp16. Bounds, rounded up.
struct MatrixExtent {
    float scale = 1;
    float norm = 0;        ///< the largest |ĉ|
    float residual = 0;    ///< the largest |c − ĉ|
    float half_square = 0; ///< the largest |c|²/2
};

/// The same from the extent of centroids that a device moved and packed (packing.cl).
MatrixExtent matrix_extent(std::span<const cl_uint> extent);

/// A vocabulary in fp16, in the order in which gpu7 feeds it to the matrix unit, and how far the
/// rounding moved it. All values are scaled.
///
/// Blocks of MATRIX_BLOCK centroids make four tiles of eight. In the 16×8 operand of mma.m16n8k16
/// the work-item `lane` holds four dimensions of column lane / 4, starting at 4 (lane % 4): here
/// neighboring dimensions of the vocabulary, since a dot product may take them in any order.
/// Column c of tile t is centroid 8 (c / 2) + 2 t + c % 2 of its block, so that the two columns of
/// each tile whose scores a work-item gets add up to eight neighboring centroids.
struct MatrixCentroids : MatrixExtent {
    explicit MatrixCentroids(const Vocabulary &vocabulary);

    std::size_t blocks = 0; ///< a multiple of MATRIX_CHUNK, padded with centroids that never win
    std::size_t steps = 0;  ///< of 16 dimensions, an even number: D is padded with zeros
    std::vector<std::uint16_t> fragments; ///< [block][tile][pair of steps][lane][step][4]
    std::vector<float> starts;            ///< −|c|²/2 of each centroid, the start of its scores
};

/// A vocabulary of up to 128 dimensions in fp16, as gpu7_wgmma.cl copies it to local memory: tiles
/// of 64 centroids, each one or two slabs of 64 dimensions, in rows of 128 bytes, and rows of 32
/// bytes for the last step of the product. Scale, norms and residuals are those of MatrixCentroids.
///
/// Rows are swizzled as the matrix descriptor says (PTX ISA, "Swizzling modes"): within eight rows
/// the 16-byte pieces change places by the row's number. Row 8 b + 2 t + e of a slab is centroid 16
/// t + 2 b + e, so that the columns that a work-item gets are 16 neighbors. A score is M + x·c −
/// |c|²/2, M being 1.5 times the power of two `lowest`.
struct WgmmaCentroids {
    WgmmaCentroids(const Vocabulary &vocabulary, const MatrixCentroids &rounded);

    std::size_t tiles = 0;
    std::size_t slabs = 0;             ///< of a tile
    std::vector<std::uint16_t> values; ///< [tile][slab][row][64]
    std::vector<std::uint16_t> lasts;  ///< [tile][row][16]: M/256, three parts of −|c|²/2, zeros
    float lowest = 0;                  ///< a power of two; all scores lie between it and its double
};

} // namespace bowhist
