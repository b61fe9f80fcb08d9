#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/preparation.hpp>

namespace bowhist {

/// Descriptors for prepared(): each row with the numbers behind it that the steps append, without
/// weights, in the steps' order. A keypoint (x, y) in an image of width × height pixels gives:
///
///     position  ((x + 1/2)/width - 1/2)/0.29, ((y + 1/2)/height - 1/2)/0.29
///     scale     log2(scale/0.8) - 1
///     contrast  (log2(max(response, 1/2)) - 4.5)/1.5
///
/// These numbers have a deviation of about 1 over dense patches.
/// @param width, height  pixels of the image that the keypoints lie in; only position reads them
/// @throws Error{Fault::input} where a step appends numbers and the keypoints are unknown, or with
///         position the image's size, which is then 0
Descriptors with_places(const PreparationSteps &steps, const Descriptors &descriptors, int width,
                        int height);

/// Learns what the steps need: the mean and the components of whiten (mirrored rows included where
/// the steps add them), the unit of appended numbers. Eigenvectors come from Jacobi's method, sums
/// of float64 have a fixed order: the same bits for any number of threads. Reports progress as
/// "components".
/// @param placed     rows of with_places(), at least one; finite
/// @param mirroring  of their descriptors
/// @throws Error{Fault::usage} where steps do not suit the descriptors: more components than
///         dimensions, mirror where Mirroring::none; Error{Fault::interrupted}
Preparation learn_preparation(const PreparationSteps &steps, const Descriptors &placed,
                              Mirroring mirroring, Observer &observer);

/// Prepared rows: those of all descriptors, then with mirror those of all mirrored ones, in the
/// same order. A row is made of float32 operations of one rounding each, in a fixed order
/// (docs/descriptors.md). One thread; several may call at a time.
/// @param placed  rows of with_places() by the preparation's steps
/// @throws Error{Fault::input} for rows of other dimensions
Descriptors prepared(const Preparation &preparation, const Descriptors &placed);

/// The same of many rows, such as those to learn from: a part of 8192 rows with its mirrored ones
/// behind them, then the next part.
Descriptors prepared_on_all_threads(const Preparation &preparation, const Descriptors &placed);

/// Both in one: the prepared rows of an image's descriptors. Keypoints come along where they are
/// known; those of mirrored rows lie in the mirrored image, with the first ones' orientation.
/// @throws as with_places and prepared
Descriptors prepare(const Preparation &preparation, const Descriptors &descriptors, int width,
                    int height);

/// @throws what prepare() would: for descriptors that a device prepares
void require_preparable(const Preparation &preparation, const Descriptors &descriptors, int width,
                        int height);

} // namespace bowhist
