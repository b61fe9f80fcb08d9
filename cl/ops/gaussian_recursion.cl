// gaussian_recursion: what every shape of the Gaussian does to a pixel, of WIDTH columns at once.
//
//     z[n] = p z[n-1] + x[n]        y[n] = Re(w0 z0[n] + w1 z1[n]) - half x[n]
//
// y is one half of the blur, down a line or up it (docs/operations/gaussian.md). Float32 carries
// complex poles well at any sigma; the fourth-order recursion in y[n-1] ... y[n-4] it does not.

#include "ops_launch.h"

#ifndef WIDTH
#define WIDTH 1 // columns a work-item blurs, side by side in a vector
#endif

#if WIDTH == 1
typedef float Floats;
#else
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
typedef JOIN(float, WIDTH) Floats;
#endif

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
    Floats blurred = -gaussian->half_center * pixel;
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
