#pragma once

#include <bowhist/duplicates/duplicates.hpp>

#include <filesystem>

namespace bowhist {

/// Groups as .npz, a row for each of n images, as in CSV:
///
///     images.npy   n names
///     group.npy    n int32, from 1
///     with.npy     n int32: the row of the image that it is held against; of the best its own
///     kind.npy     n names; of the best empty
///     score.npy    n float64: 0 … 1
///     agree.npy    n int32
///     overlap.npy  n float64: 0 … 1
///     maps.npy     n×6 float64: a11, a12, tx, a21, a22, ty
///
/// @throws Error{Fault::output}
void write_groups_npz(const std::filesystem::path &path, const Duplicates &found);

} // namespace bowhist
