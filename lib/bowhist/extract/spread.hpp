#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/recipe.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// The places of the `most` greatest responses (0: all), in rising order; of equal ones the
/// earlier.
std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints, std::size_t most);

/// The ones of `places` among keypoints with the `most` greatest responses, in rising order; of
/// equal ones the earlier.
std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints,
                                   std::vector<std::size_t> places, std::size_t most);

/// The descriptors at these places, which rise.
Descriptors rows_at(const Descriptors &all, std::span<const std::size_t> places);

/// Only the strongest, in their order.
Descriptors keep_strongest(Descriptors all, std::size_t most);

/// Cells a side of the grid over which the recipe spreads keypoints; 0: there is no grid.
/// @throws Error{Fault::usage} for less than 0, or more than 16
int spread_of(const Recipe &recipe);

/// How many of max_descriptors are the strongest of all, wherever they lie: where there is a grid,
/// half of them, rounded up; else all. 0 where max_descriptors is 0.
std::size_t strongest_share(const Recipe &recipe);

/// The places, in rising order, of the keypoints that the recipe keeps of an image: the
/// max_descriptors of the greatest responses, of equal ones the earlier; all where that is 0.
///
/// With a grid of spread x spread cells, half of max_descriptors, rounded up, are chosen so. The
/// others are taken in rounds: in each, every cell takes the strongest that it has left. So cells
/// take alike, and the others share what a cell lacks. A round that has more than are left to take
/// gives only its strongest. Cells have the same size; a keypoint is in the cell in which the
/// middle of its pixel lies.
/// @param width, height  of the image, pixels; keypoints are in its pixels
std::vector<std::size_t> kept_places(std::span<const Keypoint> keypoints, const Recipe &recipe,
                                     int width, int height);

/// Only these, in their order.
Descriptors keep(Descriptors all, const Recipe &recipe, int width, int height);

} // namespace bowhist
