// surf_refine: the place of a keypoint by Gaussian derivatives, which answer a turned image alike
// where boxes do not. OpenCL C and C++.
//
// Pixels are summed in squares, larger for larger keypoints: every Gaussian takes 13x13 of them.

enum {
    REFINE_TAPS = 6,                  // squares that a derivative reaches from its middle
    REFINE_SIDE = 2 * REFINE_TAPS + 3 // squares along an axis, for 3x3 determinants
};

/// Squares around a keypoint, and what those at each distance from a derivative's middle weigh.
typedef struct {
    int side; // of a square, in pixels
    int left; // of the first, pixels from the left
    int top;
    float values[REFINE_TAPS + 1]; // of the Gaussian; on both sides alike
    float slopes[REFINE_TAPS + 1]; // of its first derivative; on the other side negative
    float bends[REFINE_TAPS + 1];  // of its second; on both sides alike
} SurfSquares;

/// For a Gaussian of 1.45 scales, which measured best (docs/adr/0019). The octave's own smoothing
/// is part of it: 1.3 to 2 pixels squared.
static inline SurfSquares squares_around(const float x, const float y, const float scale)
{
    SurfSquares squares;
    const float variance = 1.45f * 1.45f * (scale * scale) - 1.5f; // scales are 1.2 at least
    const float inverse = inverse_root(variance);
    squares.side = (int)(0.476f * (variance * inverse)) + 1; // six reach 2.8 sigmas at least
    // the middle one lies nearest to the keypoint
    const float radius = 0.5f * (float)squares.side;
    squares.left = (int)((x + 1.0f) - radius) - (REFINE_TAPS + 1) * squares.side;
    squares.top = (int)((y + 1.0f) - radius) - (REFINE_TAPS + 1) * squares.side;
    const float step = (float)squares.side * inverse; // from square to square, in sigmas
    const float power = 0.5f * (step * step);
    // its exponential by Taylor's series: a power of at most 1/2
    const float series =
        0.16666667f - power * (0.041666668f - power * (0.008333334f - power * 0.0013888889f));
    float ratio = 1.0f - power * (1.0f - power * (0.5f - power * series));
    const float next = ratio * ratio;
    squares.values[0] = 1.0f;
    squares.slopes[0] = 0.0f;
    squares.bends[0] = 0.0f;
    for (int i = 1; i <= REFINE_TAPS; i++) {
        const float distance = (float)i * step;
        squares.values[i] = squares.values[i - 1] * ratio;
        squares.slopes[i] = distance * squares.values[i];
        squares.bends[i] = (distance * distance - 1.0f) * squares.values[i];
        squares.bends[0] = squares.bends[0] - 2.0f * squares.bends[i]; // flat images do not bend
        ratio = ratio * next;
    }
    return squares;
}

static inline int squares_fit(const SurfSquares squares, const int width, const int height)
{
    return squares.left >= 0 && squares.top >= 0 &&
           squares.left + REFINE_SIDE * squares.side <= width &&
           squares.top + REFINE_SIDE * squares.side <= height;
}

/// An offset in squares.
typedef struct {
    float x;
    float y;
    int near; // a square at most
} SurfTop;

static inline int is_near(const float offset)
{
    return offset >= -1.0f && offset <= 1.0f;
}

/// The top of a quadratic through 3x3 determinants.
static inline SurfTop fit_top(const float *v)
{
    const float gx = 0.5f * (v[5] - v[3]);
    const float gy = 0.5f * (v[7] - v[1]);
    const float twice = 2.0f * v[4];
    const float xx = (twice - v[5]) - v[3];
    const float yy = (twice - v[7]) - v[1];
    const float xy = 0.25f * ((v[6] + v[2]) - (v[8] + v[0]));
    const float determinant = xx * yy - xy * xy;
    SurfTop top = {0, 0, 0};
    if (!(determinant > 1e-12f && xx > 0)) return top;
    const float inverse = reciprocal(determinant);
    top.x = (yy * gx - xy * gy) * inverse;
    top.y = (xx * gy - xy * gx) * inverse;
    top.near = is_near(top.x) && is_near(top.y);
    return top;
}

/// The response of a keypoint that has no top near: it ranks behind nearly all others.
static inline float unconfirmed(const float response)
{
    return 0.001f * response;
}

/// The place of a top in the image, along an axis.
static inline float place_of(const float offset, const int first, const int side)
{
    return ((float)first + ((float)(REFINE_TAPS + 1) + 0.5f + offset) * (float)side) - 0.5f;
}
