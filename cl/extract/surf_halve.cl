// surf_halve: every second pixel of every second row, for the next octave.

#include "find_part.cl"
#include "surf_launch.h"

/// @param to  the smaller images, one for each of `from`
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void halve(global const short *greys, global short *out, global const LaunchImage *from,
           global const LaunchImage *to, global const uint *first_groups, const uint count)
{
    const uint number = find_part(first_groups, count, get_group_id(0));
    const LaunchImage large = from[number];
    const LaunchImage small = to[number];
    const int own = (get_group_id(0) - first_groups[number]) * SURF_GROUP + get_local_id(0);
    const int x = own % small.width;
    const int y = own / small.width;
    if (y >= small.height) return;
    out[small.pixels + own] = greys[large.pixels + (size_t)(2 * y) * large.width + 2 * x];
}
