#pragma once

#include <bowhist/core/cells.hpp>
#include <bowhist/pipeline/make_histograms.hpp>

namespace bowhist {

/// Writes a code for each image, or a whole row where the model has no projection, in the order of
/// the inputs (tables/histograms/row_writer.hpp). Each of several cells (in_cells.hpp) has the code
/// or row that its descriptors would have as an image; zeros where it has none. An input that
/// cannot be used is reported to the observer and left out. The file appears when all is done, and
/// not before.
/// @param request  its centroids are a model, photos.npz; no normalization
/// @throws as make_histograms; Error{Fault::usage} for rows that are too long
HistogramRun make_codes(const HistogramRequest &request, const CellGrids &grids,
                        Observer &observer);

/// The same of spatial pyramids: the histograms of all cells, normalized as one.
/// @param request  its centroids are a vocabulary
/// @throws as make_codes
HistogramRun make_pyramids(const HistogramRequest &request, const CellGrids &grids,
                           Observer &observer);

} // namespace bowhist
