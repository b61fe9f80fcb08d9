// surf_launch: what the host and the kernels that find SURF keypoints must agree on. OpenCL C and C++.
//
// All operations round alike everywhere (rounded.h): every device finds the host's keypoints.

#include "extract_launch.h"
#include "rounded.h"

enum {
    SURF_LOBE_STEP = 2,       // pixels from layer to layer
    SURF_SECTORS = 72,        // of the circle, for orientations
    SURF_WINDOW = 12,         // sectors that a sliding window covers: 60 degrees; summed up by threes
    SURF_CIRCLE_RADIUS = 6,   // of the samples for an orientation, in scales
    SURF_CIRCLE_SIDE = 2 * SURF_CIRCLE_RADIUS - 1, // of the square around them, in samples; none on the circle
    SURF_PITCH = 5,           // samples from cell to cell of a descriptor
    SURF_MOST_SAMPLES = 24,   // that it has along an axis
    SURF_GROUP = 256,         // work-items, but of surf_refine.cl and surf_describe.cl
    SURF_COLUMNS = 32,        // that a group of respond or find serves: the bits of a word
    SURF_WALK = SURF_COLUMNS, // pixels that a work-item serves: a group has as many rows as items
    SURF_WALKS = SURF_GROUP / SURF_COLUMNS, // of a group, in each column
    SURF_DESCRIBE_GROUP = 64
};

/// An octave's image, and its integral image among those of a launch.
typedef struct {
    unsigned sums; // its first; a row has width + 1
    int width;
    int height;
    unsigned image; // the image's number
} SurfLevel;

/// Responses of filters of one size in a level, one for each pixel.
typedef struct {
    SurfLevel level;
    unsigned responses; // the first
    int lobe;           // pixels
    int apart;          // pixels from the middle to the mixed derivative's boxes
    float unit;         // makes sums differences of grey values
    float weight;       // of the mixed derivative's square
} SurfPlane;

/// Pixels of a plane between two others that may be maxima.
typedef struct {
    unsigned responses; // the first of the plane before; two more follow
    unsigned plane;     // responses of each
    unsigned words;     // its first word of bits; each row starts a new word
    int pitch;          // responses from row to row
    int margin; // pixels at every side that are not looked at
    int width;  // pixels to look at
    int height;
    int lobe;
    float factor;    // of a keypoint's response here
    float threshold; // of a response: the recipe's, divided by the factor
    int is_first;    // layer searched: maxima need no share of the plane before
    unsigned level;  // its number
} SurfSearch;

/// A keypoint in its level, in the level's pixels.
typedef struct {
    float x;
    float y;
    float scale;
    float response;
    unsigned level;
} SurfKeypoint;

/// Words of bits along a row of that width; and groups that serve the row.
static inline int words_along(const int width)
{
    return (width + SURF_COLUMNS - 1) / SURF_COLUMNS;
}

/// The sigma of the Gaussian that filters of this size stand for, at a place between layers.
static inline float surf_scale(const int lobe, const float offset)
{
    return 0.4f * ((float)lobe + offset * (float)SURF_LOBE_STEP); // 1.2 for 9x9
}

/// The least that a layer's maximum must reach, by the largest response beside it in the
/// neighboring layers. So one place may have keypoints of several scales (docs/adr/0019).
static inline float share_of(const float largest_beside)
{
    return 0.5f * largest_beside;
}

/// A maximum of its layer between samples, each as an offset from the sample at its middle.
typedef struct {
    float x;
    float y;
    float layer;
    float weight; // of its response
} SurfPeak;

/// An offset, cut to one sample; a faulty device's sums may make one that is not a number.
static inline float at_most_a_sample(const float offset)
{
    return offset > -1.0f ? offset < 1.0f ? offset : 1.0f : -1.0f;
}

/// Whether one of the 3x3 responses of a layer is larger.
static inline int exceeds(const float *layer, const float response)
{
    for (int i = 0; i < 9; i++)
        if (layer[i] > response) return 1;
    return 0;
}

/// The top of a quadratic through the 3x3x3 responses v[layer][y][x] around a maximum (Brown and
/// Lowe 2002): -H offset = g, by cofactors; along each axis a sample away at most. If a neighboring
/// layer answers more, the top is sought within the maximum's own layer, and the response counts
/// 0.7. In the first layer searched, where the smaller filter answers more, it counts in full: no
/// layer finds that blob. It lies 0.4 layers below, which measured best.
static inline SurfPeak fit_peak(const float *v, const int is_first)
{
    const int leans_below = exceeds(v, v[13]);
    const int is_smaller = is_first && leans_below;
    const int leans = leans_below || exceeds(v + 18, v[13]);
    const float gx = 0.5f * (v[14] - v[12]);
    const float gy = 0.5f * (v[16] - v[10]);
    const float gl = 0.5f * (v[22] - v[4]);
    const float twice = 2.0f * v[13];
    const float xx = (twice - v[14]) - v[12];
    const float yy = (twice - v[16]) - v[10];
    const float ll = leans ? 1.0f : (twice - v[22]) - v[4];
    const float xy = 0.25f * ((v[15] + v[11]) - (v[17] + v[9]));
    const float xl = leans ? 0.0f : 0.25f * ((v[21] + v[5]) - (v[23] + v[3]));
    const float yl = leans ? 0.0f : 0.25f * ((v[19] + v[7]) - (v[25] + v[1]));
    const float c_xx = yy * ll - yl * yl;
    const float c_xy = xl * yl - xy * ll;
    const float c_xl = xy * yl - xl * yy;
    const float c_yy = xx * ll - xl * xl;
    const float c_yl = xy * xl - xx * yl;
    const float c_ll = xx * yy - xy * xy;
    const float determinant = (xx * c_xx + xy * c_xy) + xl * c_xl;
    SurfPeak peak = {0, 0, is_smaller ? -0.4f : 0.0f, leans && !is_smaller ? 0.7f : 1.0f};
    if (!(determinant > 1e-12f)) return peak; // a ridge has no top
    const float inverse = reciprocal(determinant);
    peak.x = at_most_a_sample(((c_xx * gx + c_xy * gy) + c_xl * gl) * inverse);
    peak.y = at_most_a_sample(((c_xy * gx + c_yy * gy) + c_yl * gl) * inverse);
    if (!leans) peak.layer = at_most_a_sample(((c_xl * gx + c_yl * gy) + c_ll * gl) * inverse);
    return peak;
}

/// A cell's sum to the power of 3/4, with its sign: so that a few strong edges decide less
/// (docs/adr/0019). 0 of 0, since the inverse root of 0 is a number, too.
static inline float compressed(const float sum)
{
    const float size = sum > 0 ? sum : 0.0f - sum;
    const float root = size * inverse_root(size);
    return sum * inverse_root(root);
}

/// The sector that a vector points into, from the x axis towards the y axis; the arc tangent to a
/// thousandth of a degree (Abramowitz and Stegun 4.4.47).
static inline int sector_of(const float x, const float y)
{
    const float wide = x < 0 ? -x : x;
    const float high = y < 0 ? -y : y;
    const float longer = wide > high ? wide : high;
    const float shorter = wide > high ? high : wide;
    const float ratio = shorter * reciprocal(longer > 1.0f ? longer : 1.0f); // of whole numbers
    const float square = ratio * ratio;
    const float series =
        0.9998660f +
        square * (-0.3302995f + square * (0.1801410f + square * (-0.0851330f + square * 0.0208351f)));
    const float all = SURF_SECTORS;
    const float octant = ratio * series * (all * 0.159154943f);
    const float quadrant = wide > high ? octant : 0.25f * all - octant;
    const float upper = x < 0 ? 0.5f * all - quadrant : quadrant;
    const float whole = y < 0 ? all - upper : upper;
    return whole < all ? (int)whole : 0;
}
