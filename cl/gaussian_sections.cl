// gaussian_sections: the recursion that every shape of the Gaussian shares, on WIDTH columns at once.
//
// A Gaussian's falling half is very nearly a sum of two damped waves (Deriche, 1993), and a damped
// wave is what a filter with one complex pole p answers to a single pixel:
//
//     z[n] = p z[n-1] + x[n]        y[n] = Re(w0 z0[n] + w1 z1[n]) - half x[n]
//
// One run down a line gives the half of the answer that looks back, the same run upwards the half
// that looks ahead. `half` takes one half of the line's own pixel out of each, so that the two are
// mirror images and their sum is the blur. Float32 carries complex poles well at any sigma; the
// fourth-order recursion in y[n-1] ... y[n-4], the same filter on paper, it does not.

#ifndef WIDTH
#define WIDTH 1 // columns a work-item blurs, side by side in a vector
#endif
#ifndef ROWS
#define ROWS 8 // rows whose pixels a work-item has under way at once
#endif

#if WIDTH == 1
typedef float Floats;
#else
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
typedef JOIN(float, WIDTH) Floats;
#endif

/// The filter, the same upwards and downwards; [2]: its two waves.
typedef struct {
    float pole_real[2];
    float pole_imaginary[2];
    float weight_real[2];
    float weight_imaginary[2];
    float settled_real[2]; // z on a line of ones, for ever
    float settled_imaginary[2];
    float half_centre;
} Gaussian;

/// The pictures, end to end, and how they are shared out: each column is cut into segments.
typedef struct {
    uint width;
    uint height;
    uint in_pitch;
    uint out_pitch;
    uint count;
    uint segments;     // of a column
    uint segment_rows; // of all but the last
    uint state_pitch;  // floats of one number of a segment's states
} Shape;

/// z of both waves.
typedef struct {
    Floats real[2];
    Floats imaginary[2];
} State;

/// As if the border's pixel had gone on for ever: borders replicate.
State settled(const Gaussian *gaussian, const Floats border)
{
    State state;
    for (uint i = 0; i < 2; ++i) {
        state.real[i] = gaussian->settled_real[i] * border;
        state.imaginary[i] = gaussian->settled_imaginary[i] * border;
    }
    return state;
}

/// Takes in a pixel; returns its half of the blur.
Floats advance(State *state, const Gaussian *gaussian, const Floats pixel)
{
    Floats blurred = -gaussian->half_centre * pixel;
#pragma unroll
    for (uint i = 0; i < 2; ++i) {
        const Floats real = gaussian->pole_real[i] * state->real[i] +
                            (pixel - gaussian->pole_imaginary[i] * state->imaginary[i]);
        const Floats imaginary = gaussian->pole_real[i] * state->imaginary[i] +
                                 gaussian->pole_imaginary[i] * state->real[i];
        state->real[i] = real;
        state->imaginary[i] = imaginary;
        blurred += gaussian->weight_real[i] * real - gaussian->weight_imaginary[i] * imaginary;
    }
    return blurred;
}

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

/// Some columns of one segment of a picture: what a work-item blurs.
typedef struct {
    uint picture;
    uint segment;
    uint column;
    uint columns; // from there to the picture's right edge, for a column within it
    uint first;   // row
    uint rows;
} Strip;

/// Strips are numbered along dimension 1: segments of the first picture, of the second, ...
Strip strip_at(const Shape shape, const uint column, const uint number)
{
    Strip strip;
    strip.picture = number / shape.segments;
    strip.segment = number % shape.segments;
    strip.column = column;
    strip.columns = shape.width - column;
    strip.first = strip.segment * shape.segment_rows;
    strip.rows = min(shape.segment_rows, shape.height - strip.first);
    return strip;
}

size_t strip_start(const Shape shape, const Strip strip, const uint pitch)
{
    return ((size_t)strip.picture * shape.height + strip.first) * pitch + strip.column;
}

#define DOWNWARDS 0
#define UPWARDS 1

/// Where a strip's state lies for a run in one direction: four numbers, state_pitch apart.
size_t state_place(const Shape shape, const Strip strip, const uint direction)
{
    const size_t segment = (size_t)strip.picture * shape.segments + strip.segment;
    return (segment * 2 + direction) * 4 * shape.state_pitch + strip.column;
}

State load_state(global const float *states, const Shape shape, const Strip strip, const uint direction)
{
    global const float *from = states + state_place(shape, strip, direction);
    State state;
    for (uint i = 0; i < 2; ++i) {
        state.real[i] = load_columns(from + 2 * i * shape.state_pitch, strip.columns);
        state.imaginary[i] = load_columns(from + (2 * i + 1) * shape.state_pitch, strip.columns);
    }
    return state;
}

void store_state(const State state, global float *states, const Shape shape, const Strip strip, const uint direction)
{
    global float *to = states + state_place(shape, strip, direction);
    for (uint i = 0; i < 2; ++i) {
        store_columns(state.real[i], to + 2 * i * shape.state_pitch, strip.columns);
        store_columns(state.imaginary[i], to + (2 * i + 1) * shape.state_pitch, strip.columns);
    }
}

/// The state in which a run down the strip begins; `in` is the strip's first pixel.
State state_above(global const float *in, global const float *states, const Shape shape, const Strip strip, const Gaussian *gaussian)
{
    if (strip.segment > 0) return load_state(states, shape, strip, DOWNWARDS);
    return settled(gaussian, load_columns(in, strip.columns));
}

/// The state in which a run up the strip begins.
State state_below(global const float *in, global const float *states, const Shape shape, const Strip strip, const Gaussian *gaussian)
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

/// The run down a strip: leaves each row's half of the blur in `kept`. The next rows are loaded
/// before the present ones are blurred.
void run_down(global const float *in, global float *kept, const uint kept_pitch,
              State state, const Shape shape, const Strip strip, const Gaussian *gaussian)
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
                const Shape shape, const Strip strip)
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
