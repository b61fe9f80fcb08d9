// gaussian_segments: cuts columns into segments that run at the same time, exactly.
//
// The state at a segment's end is what its own pixels leave behind when it begins from nothing, plus
// the state it began in, run on by as many rows. segment_ends finds the former for all segments at
// once, segment_starts adds up the latter, a few steps a column.

#include "gaussian_strips.cl"

kernel void segment_ends(global const float *restrict in, global float *restrict states, const GaussianCut shape,
                         const Gaussian gaussian)
{
    Strip strip = strip_at(shape, get_global_id(0) * WIDTH, get_global_id(1));
    if (strip.column >= shape.width) return;
    in += strip_start(shape, strip, shape.in_pitch);

    State down = settled(&gaussian, 0), up = settled(&gaussian, 0);
    Power power = {{1, 1}, {0, 0}};
    for (uint y = 0; y < strip.rows; ++y) {
        const Floats pixel = load_columns(in + (size_t)y * shape.in_pitch, strip.columns);
        advance(&down, &gaussian, pixel);
        for (uint i = 0; i < 2; ++i) {
            up.real[i] += power.real[i] * pixel;
            up.imaginary[i] += power.imaginary[i] * pixel;
            const float real = power.real[i];
            power.real[i] = real * gaussian.pole_real[i] - power.imaginary[i] * gaussian.pole_imaginary[i];
            power.imaginary[i] = real * gaussian.pole_imaginary[i] + power.imaginary[i] * gaussian.pole_real[i];
        }
    }
    // Each is kept where it will be added: with the segment that begins there.
    const uint own = strip.segment;
    strip.segment = own + 1;
    if (own + 1 < shape.segments) store_state(down, states, shape, strip, DOWNWARDS);
    strip.segment = own - 1;
    if (own > 0) store_state(up, states, shape, strip, UPWARDS);
}

/// Takes a run's state on by as many rows as `power` stands for, and adds what their pixels leave.
void run_on(State *state, const Power *power, const State *left)
{
    for (uint i = 0; i < 2; ++i) {
        const Floats real = state->real[i];
        state->real[i] = left->real[i] + power->real[i] * real - power->imaginary[i] * state->imaginary[i];
        state->imaginary[i] = left->imaginary[i] + power->real[i] * state->imaginary[i] + power->imaginary[i] * real;
    }
}

/// Dimension 1: images. `whole` and `last` are the poles' powers by the rows of a segment.
kernel void segment_starts(global const float *restrict in, global float *restrict states, const GaussianCut shape,
                           const Gaussian gaussian, const Power whole, const Power last)
{
    Strip strip = strip_at(shape, get_global_id(0) * WIDTH, get_global_id(1) * shape.segments);
    if (strip.column >= shape.width) return;
    in += strip_start(shape, strip, shape.in_pitch);

    State state = settled(&gaussian, load_columns(in, strip.columns));
    for (strip.segment = 1; strip.segment < shape.segments; ++strip.segment) {
        const State left = load_state(states, shape, strip, DOWNWARDS);
        run_on(&state, &whole, &left);
        store_state(state, states, shape, strip, DOWNWARDS);
    }
    state = settled(&gaussian, load_columns(in + (size_t)(shape.height - 1) * shape.in_pitch, strip.columns));
    for (uint below = shape.segments - 1; below > 0; --below) {
        strip.segment = below - 1;
        const State left = load_state(states, shape, strip, UPWARDS);
        run_on(&state, below + 1 == shape.segments ? &last : &whole, &left);
        store_state(state, states, shape, strip, UPWARDS);
    }
}
