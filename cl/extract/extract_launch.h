// extract_launch: what the host and the kernels that extract must agree on. OpenCL C and C++.
//
// The library is built with it, so that a --kernel-dir with another one is refused.
#ifdef __OPENCL_VERSION__ // C++ has it from device/launch_image.hpp
#include "launch_image.h"
#endif

enum {
    PATCH_CELLS = 4,            // of a patch, along each side
    PATCH_CHANNELS = 4,         // of a cell: dx, |dx|, dy, |dy|
    SMOOTH_GROUP = 64,          // columns that a group of smooth.cl smooths
    SMOOTH_ROWS = 16,           // of each
    DENSE_POOL_GROUP = 256,     // columns that a group of dense_pool.cl sums
    DENSE_DESCRIBE_GROUP = 256, // of dense_weigh.cl and dense_describe.cl
    STRONGEST_GROUP = 256,      // of strongest.cl and spread.cl, which serve an image
    SPREAD_MOST = 16            // cells a side of a grid; a group has an item for each
};

/// The number of the part that holds the middle of a place's pixel, when `pixels` along an axis are
/// cut into `parts`; for a place outside, the nearest. Whole numbers, so that devices and hosts
/// find the same.
static inline int part_of_axis(const float place, const int pixels, const int parts)
{
    const float behind = place + 0.5f; // the middle of the first pixel is 0
    const int whole = behind > 0 ? behind < (float)pixels ? (int)behind : pixels - 1 : 0;
    const long pixel = whole < pixels ? whole : pixels - 1; // a large number of pixels is rounded
    return (int)((2 * pixel + 1) * parts / (2 * (long)pixels));
}

/// The cell of a grid of `side` x `side` over an image in which a keypoint lies, row by row.
static inline int spread_cell(const float x, const float y, const int width, const int height,
                              const int side)
{
    return part_of_axis(y, height, side) * side + part_of_axis(x, width, side);
}

/// The places of patches of one size along an axis of an image, and the cells that they share.
typedef struct {
    int patches;
    int first;  // the pixel in the middle of the first patch's first cell
    int step;   // pixels from patch to patch
    int cell;   // pixels of a cell
    int cells;  // of all patches
    int shared; // pixels from cell to cell where patches share them; 0: each has four of its own
} GridAxis;

/// The patches of one size in an image: rows of them from the top, each from the left.
typedef struct {
    GridAxis across;
    GridAxis down;
    int tile; // patches of a row that a group of dense_pool.cl serves at most
    LaunchImage image;
    unsigned bag;         // the number of the image's bag
    unsigned first_cell;  // among those of this size
    unsigned first_patch; // among all of the launch
} DenseGrid;

/// The pixel in the middle of that cell.
static inline int middle_of(const GridAxis axis, const int cell)
{
    if (axis.shared != 0) return axis.first + cell * axis.shared;
    return axis.first + cell / PATCH_CELLS * axis.step + cell % PATCH_CELLS * axis.cell;
}

/// The number of a patch's cell among those of the axis.
static inline int cell_of(const GridAxis axis, const int patch, const int cell)
{
    if (axis.shared != 0) return (patch * axis.step + cell * axis.cell) / axis.shared;
    return patch * PATCH_CELLS + cell;
}
