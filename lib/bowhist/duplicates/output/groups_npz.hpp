#pragma once

#include <bowhist/duplicates/duplicates.hpp>

#include <filesystem>

namespace bowhist {

/// Groups as .npz, a row for each of n images, as in CSV:
///
///     images.npy   n names
///     group.npy    n int32, from 1; of an image that stands apart 0
///     with.npy     n int32: the row of the image that it is held against; of the best its own; of
///                  an image that stands apart -1
///     kind.npy     n names; of the best empty
///     score.npy    n float64: 0 … 1
///     agree.npy    n int32
///     overlap.npy  n float64: 0 … 1
///     maps.npy     n×6 float64: a11, a12, tx, a21, a22, ty
///     compared.npy n int32: pixels of the smaller side; 0 where bytes were compared
///     shows.npy    n names: of an image that stands apart, the images that it shows, with "|"
///                  between their paths; else empty
///
/// @throws Error{Fault::output}
void write_groups_npz(const std::filesystem::path &path, const Duplicates &found);

} // namespace bowhist
