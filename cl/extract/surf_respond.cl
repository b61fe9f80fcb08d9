// surf_respond: determinants of the fast Hessian, of box filters over an integral image (Bay, Ess,
// Tuytelaars, Van Gool 2008).

#pragma OPENCL FP_CONTRACT OFF

#include "extract_launch.h"
#include "find_part.cl"
#include "rounded.h"
#include "surf_launch.h"

/// The sum of columns left … right - 1 of rows top … bottom - 1.
int box(global const uint *sums, const int pitch, const int left, const int top, const int right,
        const int bottom)
{
    global const uint *above = sums + (size_t)top * pitch;
    global const uint *below = sums + (size_t)bottom * pitch;
    return (below[right] - below[left]) - (above[right] - above[left]);
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
    sums += plane.level.sums;
    const int xx = box(sums, pitch, x - border, y - lobe + 1, x + border + 1, y + lobe) -
                   3 * box(sums, pitch, x - middle, y - lobe + 1, x + middle + 1, y + lobe);
    const int yy = box(sums, pitch, x - lobe + 1, y - border, x + lobe, y + border + 1) -
                   3 * box(sums, pitch, x - lobe + 1, y - middle, x + lobe, y + middle + 1);
    const int left = x - apart - lobe + 1;
    const int top = y - apart - lobe + 1;
    const int xy = box(sums, pitch, left, top, left + lobe, top + lobe) +
                   box(sums, pitch, x + apart, y + apart, x + apart + lobe, y + apart + lobe) -
                   box(sums, pitch, x + apart, top, x + apart + lobe, top + lobe) -
                   box(sums, pitch, left, y + apart, left + lobe, y + apart + lobe);
    const float d_xx = (float)xx * plane.unit;
    const float d_yy = (float)yy * plane.unit;
    const float d_xy = (float)xy * plane.unit;
    responses[plane.responses + own] = d_xx * d_yy - plane.weight * (d_xy * d_xy);
}
