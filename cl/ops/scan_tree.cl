// scan_tree: prefix sums of rows, each read once and written once; a group walks along its rows.
//
// A step takes a tile of 4 * LEAVES elements. A work-item loads LOADS vectors of four into registers,
// neighbors side by side, and adds up within each. Short rows share a group.
//
// -DROWS: rows a group. -DLOADS: LEAVES / GROUP. -DIN_ALIGNED -DOUT_ALIGNED: whether every row starts
// at a whole vector. The other macros are those of scan_rows.cl and scan_group.cl.

#include "scan_rows.cl"
#include "scan_group.cl"

#define INPUT4 VECTOR(INPUT, 4)
#define TYPE4 VECTOR(TYPE, 4)

/// Elements x … x + 3 of a row; zero where the row has ended.
TYPE4 load4(global const INPUT *row, const uint x, const uint width)
{
    if (x + 4 <= width)
        return CONVERT(TYPE, 4)(IN_ALIGNED ? *(global const INPUT4 *)(row + x) : vload4(0, row + x));
    return (TYPE4)(x < width ? row[x] : 0, x + 1 < width ? row[x + 1] : 0,
                   x + 2 < width ? row[x + 2] : 0, 0);
}

void store4(global TYPE *row, const uint x, const uint width, const TYPE4 values)
{
    if (x + 4 <= width) {
        if (OUT_ALIGNED)
            *(global TYPE4 *)(row + x) = values;
        else
            vstore4(values, 0, row + x);
        return;
    }
    if (x < width) row[x] = values.x;
    if (x + 1 < width) row[x + 1] = values.y;
    if (x + 2 < width) row[x + 2] = values.z;
}

kernel __attribute__((reqd_work_group_size(GROUP * ROWS, 1, 1)))
void scan_rows(global const INPUT *in, global TYPE *out, global const TYPE *carries, const ScanRows rows)
{
    local TYPE trees[ROWS][TREE_ROOM(LEAVES)];
    const uint item = get_local_id(0) % GROUP;
    const uint row = get_group_id(0) * ROWS + get_local_id(0) / GROUP;
    const bool there = row < rows.rows; // a row that is not there walks along: there are barriers
    const uint width = there ? width_of(rows, row) : 0;
    const uint out_width = there ? width + rows.extra : 0;
    local TYPE *sums = trees[get_local_id(0) / GROUP];
    in += (size_t)row * rows.in_pitch;
    out += (size_t)row * rows.out_pitch;

    TYPE carry = rows.carried && there ? carries[row] : 0;
    for (uint tile = 0; tile < rows.width + rows.extra; tile += 4 * LEAVES) {
        TYPE4 values[LOADS];
#pragma unroll
        for (uint load = 0; load < LOADS; load++)
            values[load] = load4(in, tile + 4 * (load * GROUP + item), width);
#pragma unroll
        for (uint load = 0; load < LOADS; load++) {
            values[load].y += values[load].x;
            values[load].z += values[load].y;
            values[load].w += values[load].z;
            sums[AT(load * GROUP + item)] = values[load].w;
        }
        const TYPE total = scan_group(sums, item);
#pragma unroll
        for (uint load = 0; load < LOADS; load++) {
            const TYPE before = carry + sums[AT(load * GROUP + item)];
            const TYPE4 within = rows.inclusive ? values[load] : (TYPE4)(0, values[load].xyz);
            store4(out, tile + 4 * (load * GROUP + item), out_width, before + within);
        }
        carry += total;
    }
}

/// The sum of each row.
kernel __attribute__((reqd_work_group_size(GROUP * ROWS, 1, 1)))
void sum_rows(global const INPUT *in, global TYPE *totals, const ScanRows rows)
{
    local TYPE trees[ROWS][TREE_ROOM(LEAVES)];
    const uint item = get_local_id(0) % GROUP;
    const uint row = get_group_id(0) * ROWS + get_local_id(0) / GROUP;
    const uint width = row < rows.rows ? width_of(rows, row) : 0;
    local TYPE *sums = trees[get_local_id(0) / GROUP];
    in += (size_t)row * rows.in_pitch;

    TYPE4 mine[LOADS];
#pragma unroll
    for (uint load = 0; load < LOADS; load++) mine[load] = 0;
    for (uint tile = 0; tile < width; tile += 4 * LEAVES)
#pragma unroll
        for (uint load = 0; load < LOADS; load++)
            mine[load] += load4(in, tile + 4 * (load * GROUP + item), width);
#pragma unroll
    for (uint load = 0; load < LOADS; load++)
        sums[AT(load * GROUP + item)] =
            (mine[load].x + mine[load].y) + (mine[load].z + mine[load].w);
    const TYPE total = scan_group(sums, item);
    if (item == 0 && row < rows.rows) totals[row] = total;
}
