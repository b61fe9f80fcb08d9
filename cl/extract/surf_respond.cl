// surf_respond: determinants of the fast Hessian, of box filters over an integral image (Bay, Ess,
// Tuytelaars, Van Gool 2008).

#pragma OPENCL FP_CONTRACT OFF

#include "extract_launch.h"
#include "find_part.cl"
#include "rounded.h"
#include "surf_launch.h"

/// The sum of columns left … right - 1 of rows top … bottom - 1, from a pixel. Rows are counted in
/// sums.
int box(global const uint *at, const int left, const int top, const int right, const int bottom)
{
    return (at[bottom + right] - at[bottom + left]) - (at[top + right] - at[top + left]);
}

kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void respond(global const uint *sums, global const SurfPlane *planes,
             global const uint *first_groups, const uint count, global float *responses)
{
    const uint number = find_part(first_groups, count, get_group_id(0));
    const SurfPlane plane = planes[number];
    const int own = (get_group_id(0) - first_groups[number]) * SURF_GROUP + get_local_id(0);
    const int pitch = plane.level.width + 1;
    const int x = own % plane.level.width;
    const int y = own / plane.level.width;
    const int lobe = plane.lobe;
    const int border = 3 * lobe / 2;
    const int middle = lobe / 2;
    const int apart = plane.apart;
    if (min(x, y) < border || x + border >= plane.level.width || y + border >= plane.level.height)
        return;
    global const uint *at = sums + plane.level.sums + y * pitch + x;
    const int far = apart + lobe;
    const int xx = box(at, -border, (1 - lobe) * pitch, border + 1, lobe * pitch) -
                   3 * box(at, -middle, (1 - lobe) * pitch, middle + 1, lobe * pitch);
    const int yy = box(at, 1 - lobe, -border * pitch, lobe, (border + 1) * pitch) -
                   3 * box(at, 1 - lobe, -middle * pitch, lobe, (middle + 1) * pitch);
    const int xy = box(at, 1 - far, (1 - far) * pitch, 1 - apart, (1 - apart) * pitch) +
                   box(at, apart, apart * pitch, far, far * pitch) -
                   box(at, apart, (1 - far) * pitch, far, (1 - apart) * pitch) -
                   box(at, 1 - far, apart * pitch, 1 - apart, far * pitch);
    const float d_xx = (float)xx * plane.unit;
    const float d_yy = (float)yy * plane.unit;
    const float d_xy = (float)xy * plane.unit;
    responses[plane.responses + own] = d_xx * d_yy - plane.weight * (d_xy * d_xy);
}
