// gaussian_strips: how images are shared out, and how a strip's columns and states are reached.
//
// A strip is WIDTH columns of an image, or of a segment of its rows: what a work-item blurs.

#include "gaussian_recursion.cl"

#if WIDTH == 1 || defined(WHOLE_VECTORS)

// All pitches are multiples of WIDTH: what lies beyond the last column is padding, ours to use.

Floats load_columns(global const float *from, const uint columns)
{
    return *(global const Floats *)from;
}

void store_columns(const Floats values, global float *to, const uint columns)
{
    *(global Floats *)to = values;
}

#else

Floats load_columns(global const float *from, const uint columns)
{
    if (columns >= WIDTH) return JOIN(vload, WIDTH)(0, from);
    float values[WIDTH] = {0};
    for (uint i = 0; i < columns; ++i) values[i] = from[i];
    return JOIN(vload, WIDTH)(0, values);
}

void store_columns(const Floats values, global float *to, const uint columns)
{
    if (columns >= WIDTH) {
        JOIN(vstore, WIDTH)(values, 0, to);
        return;
    }
    float each[WIDTH];
    JOIN(vstore, WIDTH)(values, 0, each);
    for (uint i = 0; i < columns; ++i) to[i] = each[i];
}

#endif

typedef struct {
    uint image;
    uint segment;
    uint column;
    uint columns; // from there to the image's right edge, for a column within it
    uint first;   // row
    uint rows;
} Strip;

/// Strips are numbered along dimension 1: segments of the first image, of the second, ...
Strip strip_at(const GaussianCut shape, const uint column, const uint number)
{
    Strip strip;
    strip.image = number / shape.segments;
    strip.segment = number % shape.segments;
    strip.column = column;
    strip.columns = shape.width - column;
    strip.first = strip.segment * shape.segment_rows;
    strip.rows = min(shape.segment_rows, shape.height - strip.first);
    return strip;
}

size_t strip_start(const GaussianCut shape, const Strip strip, const uint pitch)
{
    return ((size_t)strip.image * shape.height + strip.first) * pitch + strip.column;
}

#define DOWNWARDS 0
#define UPWARDS 1

/// The place of a strip's state for a run in one direction: four numbers, state_pitch apart.
size_t state_place(const GaussianCut shape, const Strip strip, const uint direction)
{
    const size_t segment = (size_t)strip.image * shape.segments + strip.segment;
    return (segment * 2 + direction) * 4 * shape.state_pitch + strip.column;
}

State load_state(global const float *states, const GaussianCut shape, const Strip strip, const uint direction)
{
    global const float *from = states + state_place(shape, strip, direction);
    State state;
    for (uint i = 0; i < 2; ++i) {
        state.real[i] = load_columns(from + 2 * i * shape.state_pitch, strip.columns);
        state.imaginary[i] = load_columns(from + (2 * i + 1) * shape.state_pitch, strip.columns);
    }
    return state;
}

void store_state(const State state, global float *states, const GaussianCut shape, const Strip strip, const uint direction)
{
    global float *to = states + state_place(shape, strip, direction);
    for (uint i = 0; i < 2; ++i) {
        store_columns(state.real[i], to + 2 * i * shape.state_pitch, strip.columns);
        store_columns(state.imaginary[i], to + (2 * i + 1) * shape.state_pitch, strip.columns);
    }
}
