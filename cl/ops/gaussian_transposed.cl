// gaussian_transposed: gaussian_columns, its result transposed through local memory on the way out.
//
// A group of GROUP work-items collects GROUP rows of its GROUP columns, then writes each column's
// stretch as one of a row. With GROUP 32 a stretch is 128 bytes: whole lines of memory.

#include "gaussian_sections.cl"

/// Writes the tile, transposed: column c of it is a stretch of row c of the image that comes out.
void write_transposed(local const float (*tile)[GROUP + 1], global float *out, const GaussianCut shape, const Strip strip,
                  const uint y, const uint columns)
{
    const uint lane = get_local_id(0);
    const uint first_column = get_group_id(0) * GROUP;
    out += ((size_t)strip.image * shape.width + first_column) * shape.out_pitch + strip.first + y + lane;
    if (y + lane >= strip.rows) return;
    for (uint c = 0; c < columns; ++c) out[(size_t)c * shape.out_pitch] = tile[lane][c];
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void blur_transposed(global const float *restrict in, global float *restrict kept, global float *restrict out,
                 global const float *restrict states, const GaussianCut shape, const Gaussian gaussian)
{
    local float tile[GROUP][GROUP + 1]; // +1 column: a column's rows lie in different banks
    const uint lane = get_local_id(0);
    const Strip strip = strip_at(shape, get_global_id(0), get_global_id(1));
    const uint columns = min((uint)GROUP, shape.width - (uint)get_group_id(0) * GROUP);
    const bool inside = strip.column < shape.width; // the others only meet at the barriers
    in += strip_start(shape, strip, shape.in_pitch);
    kept += strip_start(shape, strip, shape.in_pitch);

    State state;
    Block ahead;
    uint y = (strip.rows - 1) / ROWS * ROWS;
    if (inside) {
        run_down(in, kept, shape.in_pitch, state_above(in, states, shape, strip, &gaussian), shape, strip,
                 &gaussian);
        state = state_below(in, states, shape, strip, &gaussian);
        load_block(&ahead, in, kept, shape.in_pitch, y, shape, strip);
    }
    for (bool more = true; more; y -= ROWS) {
        Block block = ahead;
        more = y > 0;
        if (inside) {
            if (more) load_block(&ahead, in, kept, shape.in_pitch, y - ROWS, shape, strip);
            climb(&block, &state, &gaussian, strip.rows - y);
#pragma unroll
            for (uint i = 0; i < ROWS; ++i) tile[(y + i) % GROUP][lane] = block.pixels[i];
        }
        if (y % GROUP == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            write_transposed(tile, out, shape, strip, y, columns);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}
