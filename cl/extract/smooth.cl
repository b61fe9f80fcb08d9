// smooth: a round of the binomial filter (1 2 1)/4 along both axes, rounded once.
//
// Greys are in sixteenths, the outermost pixels are repeated. A work-item smooths SMOOTH_ROWS pixels
// of a column: three loads a pixel. -DGREY: what is read, shorts in sixteenths or the pixels' uchars;
// -DUNIT: what to multiply it by.

#include "extract_launch.h"
#include "find_part.cl"

kernel __attribute__((reqd_work_group_size(SMOOTH_GROUP, 1, 1)))
void smooth(global const GREY *restrict in, global short *restrict out,
            global const LaunchImage *images, global const uint *first_tiles, const uint count)
{
    const uint number = find_part(first_tiles, count, get_group_id(0));
    const LaunchImage image = images[number];
    const int tile = get_group_id(0) - first_tiles[number];
    const int tiles = (image.width + SMOOTH_GROUP - 1) / SMOOTH_GROUP;
    const int x = tile % tiles * SMOOTH_GROUP + get_local_id(0);
    const int top = tile / tiles * SMOOTH_ROWS;
    if (x >= image.width) return;
    const int left = max(x - 1, 0);
    const int right = min(x + 1, image.width - 1);
    int above = 0;
    int here = 0;
#pragma unroll
    for (int i = -1; i <= SMOOTH_ROWS; i++) {
        const int y = top + i;
        const uint row = clamp(y, 0, image.height - 1);
        global const GREY *greys = in + (image.pixels + row * (uint)image.width);
        const int below = (greys[left] + 2 * greys[x] + greys[right]) * UNIT;
        if (i > 0 && y <= image.height) {
            global short *smoothed = out + (image.pixels + (uint)(y - 1) * (uint)image.width);
            smoothed[x] = (above + 2 * here + below + 8) >> 4;
        }
        above = here;
        here = below;
    }
}
