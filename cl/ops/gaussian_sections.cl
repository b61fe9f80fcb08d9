// gaussian_sections: the runs down and up a strip, ROWS rows at a time.
//
// A work-item has the pixels of ROWS rows under way at once. The next rows are loaded before the
// present ones are blurred, so that their latency is hidden.

#include "gaussian_strips.cl"

/// The state in which a run down the strip begins; `in` is the strip's first pixel.
State state_above(global const float *in, global const float *states, const GaussianCut shape, const Strip strip, const Gaussian *gaussian)
{
    if (strip.segment > 0) return load_state(states, shape, strip, DOWNWARDS);
    return settled(gaussian, load_columns(in, strip.columns));
}

/// The state in which a run up the strip begins.
State state_below(global const float *in, global const float *states, const GaussianCut shape, const Strip strip, const Gaussian *gaussian)
{
    if (strip.segment + 1 < shape.segments) return load_state(states, shape, strip, UPWARDS);
    return settled(gaussian, load_columns(in + (size_t)(strip.rows - 1) * shape.in_pitch, strip.columns));
}

/// Loads `rows` rows, at most ROWS, `pitch` floats apart.
void load_rows(Floats *block, global const float *from, const uint pitch, const uint rows, const uint columns)
{
#pragma unroll
    for (uint i = 0; i < ROWS; ++i)
        if (i < rows) block[i] = load_columns(from + (size_t)i * pitch, columns);
}

/// The run down a strip: leaves each row's half of the blur in `kept`.
void run_down(global const float *in, global float *kept, const uint kept_pitch,
              State state, const GaussianCut shape, const Strip strip, const Gaussian *gaussian)
{
    Floats ahead[ROWS];
    load_rows(ahead, in, shape.in_pitch, strip.rows, strip.columns);
    for (uint y = 0; y < strip.rows; y += ROWS) {
        Floats pixels[ROWS];
#pragma unroll
        for (uint i = 0; i < ROWS; ++i) pixels[i] = ahead[i];
        if (y + ROWS < strip.rows)
            load_rows(ahead, in + (size_t)(y + ROWS) * shape.in_pitch, shape.in_pitch, strip.rows - y - ROWS,
                      strip.columns);
#pragma unroll
        for (uint i = 0; i < ROWS; ++i)
            if (y + i < strip.rows)
                store_columns(advance(&state, gaussian, pixels[i]), kept + (size_t)(y + i) * kept_pitch,
                              strip.columns);
    }
}

/// A block of rows on the way up: their pixels, which become their blur, and what the run down kept.
typedef struct {
    Floats pixels[ROWS];
    Floats kept[ROWS];
} Block;

/// Loads the strip's rows [y, y + ROWS), as far as there are any.
void load_block(Block *block, global const float *in, global const float *kept, const uint kept_pitch, const uint y,
                const GaussianCut shape, const Strip strip)
{
    load_rows(block->pixels, in + (size_t)y * shape.in_pitch, shape.in_pitch, strip.rows - y, strip.columns);
    load_rows(block->kept, kept + (size_t)y * kept_pitch, kept_pitch, strip.rows - y, strip.columns);
}

/// The run up a block of `rows` rows, the lowest first: both halves together are the blur.
void climb(Block *block, State *state, const Gaussian *gaussian, const uint rows)
{
#pragma unroll
    for (uint i = ROWS; i-- > 0;)
        if (i < rows) block->pixels[i] = advance(state, gaussian, block->pixels[i]) + block->kept[i];
}
