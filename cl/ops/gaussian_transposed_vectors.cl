// gaussian_transposed_vectors: gaussian_transposed for CPUs: 16 columns in a vector, transposed in registers.
//
// A work-item blurs strips of 16 columns one after another. The results of the run down lie in
// memory of the work-item's own, which stays in its core's cache.

#include "gaussian_sections.cl"
#include "transpose_registers.cl"

/// Rows [y, y + rows) of the strip on the way up; block[i]: the blur of row y + i.
void climb_sixteen(Floats block[16], global const float *in, global const float *kept, State *state,
                   const Gaussian *gaussian, const uint rows, const GaussianCut shape, const Strip strip, const uint y)
{
    for (uint i = rows; i-- > 0;) {
        const Floats pixels = load_columns(in + (size_t)(y + i) * shape.in_pitch, strip.columns);
        block[i] = advance(state, gaussian, pixels) + vload16(y + i, kept);
    }
}

/// A column of the block is a stretch of a row of the image that comes out.
void write_sixteen(Floats block[16], global float *out, const GaussianCut shape, const uint rows, const uint columns)
{
    transpose_registers(block);
    for (uint c = 0; c < columns; ++c) {
        if (rows == 16) {
            vstore16(block[c], 0, out + (size_t)c * shape.out_pitch);
        } else {
            float stretch[16];
            vstore16(block[c], 0, stretch);
            for (uint i = 0; i < rows; ++i) out[(size_t)c * shape.out_pitch + i] = stretch[i];
        }
    }
}

kernel void blur_transposed(global const float *restrict in, global float *restrict kept, global float *restrict out,
                        global const float *restrict states, const GaussianCut shape, const Gaussian gaussian)
{
    const uint across = (shape.width + 15) / 16;
    const uint strips = across * shape.count * shape.segments;
    kept += get_global_id(0) * shape.segment_rows * 16;
    for (uint number = get_global_id(0); number < strips; number += get_global_size(0)) {
        const Strip strip = strip_at(shape, number % across * 16, number / across);
        global const float *from = in + strip_start(shape, strip, shape.in_pitch);
        global float *to = out + ((size_t)strip.image * shape.width + strip.column) * shape.out_pitch + strip.first;

        run_down(from, kept, 16, state_above(from, states, shape, strip, &gaussian), shape, strip, &gaussian);

        State state = state_below(from, states, shape, strip, &gaussian);
        for (uint blocks = (strip.rows + 15) / 16; blocks-- > 0;) {
            const uint y = blocks * 16;
            const uint rows = min(16u, strip.rows - y);
            Floats block[16];
            climb_sixteen(block, from, kept, &state, &gaussian, rows, shape, strip, y);
            write_sixteen(block, to + y, shape, rows, min(16u, strip.columns));
        }
    }
}
