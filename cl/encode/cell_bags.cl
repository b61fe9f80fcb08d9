// cell_bags: the cell of a grid in which each row's keypoint lies, with the host's float64 numbers, as
// core/cells.cpp has them.

#pragma OPENCL FP_CONTRACT OFF

#include "launch_image.h"
#include "launch_keypoint.h"
#include "float64.cl"

/// The number of the part that holds the pixel's middle, when 0 to `pixels` is cut into `parts`.
uint part_of(const float pixel, const int pixels, const uint parts)
{
    if (parts == 1) return 0; // no place need be known
    const Float64 a_half = constant64(0x3FE0000000000000UL);
    const Float64 place = quotient64(
        product64(sum64(from_float(pixel), a_half), from_int((int)parts)), from_int(pixels));
    if (place.significand == 0 || place.negative || place.exponent < -52) return 0; // below 1
    if (place.exponent > -42) return parts - 1; // at least 2^11, and a side has 1024 cells at most
    return min((uint)(place.significand >> -place.exponent), parts - 1);
}

/// @param bag    of each keypoint, its image
/// @param count  keypoints; with mirrored rows as many more follow, each in the mirrored image
/// @param cells  of all grids, for each image
/// @param first  the grid's first among them
/// @param bags   of the rows
kernel void place_in_cells(global const LaunchKeypoint *keypoints, global const uint *bag,
                           global const LaunchImage *images, global const uint *count,
                           const uint mirrors, const uint across, const uint down, const uint cells,
                           const uint first, global uint *bags)
{
    const size_t row = get_global_id(0);
    const size_t n = *count;
    if (row >= n) return;
    const LaunchImage image = images[bag[row]];
    const float x = keypoints[row].x;
    const uint left = bag[row] * cells + first + part_of(keypoints[row].y, image.height, down) * across;
    bags[row] = left + part_of(x, image.width, across);
    if (mirrors != 0)
        bags[n + row] = left + part_of((float)(image.width - 1) - x, image.width, across);
}
