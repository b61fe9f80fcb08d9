#pragma once

#include <bowhist/core/cells.hpp>
#include <bowhist/pipeline/make_histograms.hpp>

#include <cstddef>

namespace bowhist {

/// Most words of a descriptor: no count of fewer than 2^26 descriptors reaches 2^32.
inline constexpr std::size_t most_soft_words = 64;

/// Writes rows of k numbers, in the order of the inputs (tables/histograms/row_writer.hpp): each
/// descriptor counts m for its nearest word, m - 1 for the next, down to 1, by the rule in
/// docs/words.md; if the vocabulary has fewer words, m is their number. A level on a device has its
/// device compute all distances (device_nearest_words.hpp). Each of several cells (in_cells.hpp)
/// has k numbers. Rows are normalized as histograms are, all cells as one. An input that cannot be
/// used is reported to the observer and left out.
/// @param request  its centroids are a vocabulary
/// @param nearest  m, from 1 to most_soft_words
/// @throws as make_histograms; Error{Fault::usage} for rows that are too long
HistogramRun make_soft_words(const HistogramRequest &request, std::size_t nearest,
                             const CellGrids &grids, Observer &observer);

} // namespace bowhist
