// gaussian_columns: one work-item blurs WIDTH columns of an image, or of a segment of its rows.
//
// `out` keeps the results of the run down until the run up replaces them.

#include "gaussian_sections.cl"

kernel void blur_columns(global const float *restrict in, global float *restrict out, global const float *restrict states,
                         const GaussianCut shape, const Gaussian gaussian)
{
    const Strip strip = strip_at(shape, get_global_id(0) * WIDTH, get_global_id(1));
    if (strip.column >= shape.width) return;
    in += strip_start(shape, strip, shape.in_pitch);
    out += strip_start(shape, strip, shape.out_pitch);

    run_down(in, out, shape.out_pitch, state_above(in, states, shape, strip, &gaussian), shape, strip, &gaussian);

    State state = state_below(in, states, shape, strip, &gaussian);
    Block ahead;
    uint y = (strip.rows - 1) / ROWS * ROWS;
    load_block(&ahead, in, out, shape.out_pitch, y, shape, strip);
    for (bool more = true; more; y -= ROWS) {
        Block block = ahead;
        more = y > 0;
        if (more) load_block(&ahead, in, out, shape.out_pitch, y - ROWS, shape, strip);
        climb(&block, &state, &gaussian, strip.rows - y);
#pragma unroll
        for (uint i = 0; i < ROWS; ++i)
            if (y + i < strip.rows)
                store_columns(block.pixels[i], out + (size_t)(y + i) * shape.out_pitch, strip.columns);
    }
}
