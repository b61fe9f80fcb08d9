// surf_respond: determinants of the fast Hessian, of box filters over an integral image (Bay 2008).

#pragma OPENCL FP_CONTRACT OFF

#include "find_part.cl"
#include "surf_launch.h"

/// The sum between two columns of an integral image's row, from the sum at its pixel.
uint between(global const uint *row, const int left, const int right)
{
    return row[right] - row[left];
}

/// A filter's sum along a row of the integral image; less a row's above: over the pixels between.
uint along_xx(global const uint *row, const int lobe)
{
    const int border = 3 * lobe / 2;
    const int middle = lobe / 2;
    return between(row, -border, border + 1) - 3 * between(row, -middle, middle + 1);
}

uint along_yy(global const uint *row, const int lobe)
{
    return between(row, 1 - lobe, lobe);
}

uint along_xy(global const uint *row, const int apart, const int far)
{
    return between(row, apart, far) - between(row, 1 - far, 1 - apart);
}

/// A work-item walks down a column by steps of a lobe: half of the rows that a response needs serve the
/// next one, too. As many walks as a lobe has pixels, each a row below the one before, leave none out.
kernel __attribute__((reqd_work_group_size(SURF_GROUP, 1, 1)))
void respond(global const uint *restrict sums, global const SurfPlane *planes,
             global const uint *first_tiles, const uint count, global float *restrict responses)
{
    const uint number = find_part(first_tiles, count, get_group_id(0));
    const SurfPlane plane = planes[number];
    const int tile = get_group_id(0) - first_tiles[number];
    const int along = words_along(plane.level.width);
    const int pitch = plane.level.width + 1;
    const int lobe = plane.lobe;
    const int border = 3 * lobe / 2;
    const int apart = plane.apart;
    const int far = apart + lobe;
    const int x = tile % along * SURF_COLUMNS + get_local_id(0) % SURF_COLUMNS;
    const int walk = tile / along * SURF_WALKS + get_local_id(0) / SURF_COLUMNS;
    const int first = border + walk / lobe * (lobe * SURF_WALK) + walk % lobe;
    const int last = min(first + lobe * SURF_WALK, plane.level.height - border);
    if (x < border || x + border >= plane.level.width || first >= last) return;
    global const uint *at = sums + plane.level.sums + first * pitch + x;
    uint yy_0 = along_yy(at - border * pitch, lobe);
    uint yy_1 = along_yy(at - lobe / 2 * pitch, lobe);
    uint yy_2 = along_yy(at + (lobe / 2 + 1) * pitch, lobe);
    uint xy_0 = along_xy(at + (1 - far) * pitch, apart, far);
    uint xy_1 = along_xy(at + apart * pitch, apart, far);
    for (int y = first; y < last; y += lobe, at += lobe * pitch) {
        const uint yy_3 = along_yy(at + (border + 1) * pitch, lobe);
        const uint xy_2 = along_xy(at + (1 - apart) * pitch, apart, far);
        const uint xy_3 = along_xy(at + far * pitch, apart, far);
        const int xx =
            along_xx(at + lobe * pitch, lobe) - along_xx(at + (1 - lobe) * pitch, lobe);
        const int yy = (yy_3 - yy_0) - 3 * (yy_2 - yy_1);
        const int xy = (xy_3 - xy_1) - (xy_2 - xy_0);
        const float d_xx = (float)xx * plane.unit;
        const float d_yy = (float)yy * plane.unit;
        const float d_xy = (float)xy * plane.unit;
        responses[plane.responses + y * plane.level.width + x] =
            d_xx * d_yy - plane.weight * (d_xy * d_xy);
        yy_0 = yy_1;
        yy_1 = yy_2;
        yy_2 = yy_3;
        xy_0 = xy_2;
        xy_1 = xy_3;
    }
}
