// convolve_window: LANES neighboring pixels at once, and the window of a row that they need.
//
// On a GPU (DIRECT 0) a work-item loads the window once, as whole vectors where ALIGNED says that
// every row starts at a multiple of LANES floats. On a CPU (DIRECT 1), which has too few registers for
// a window, each step of the filter loads its own vector; only windows that reach over the image's
// edge are copied first, with their stand-ins.

#include "pictures.cl"

#define JOIN_WORDS(a, b) a##b
#define JOIN(a, b) JOIN_WORDS(a, b)
#define LOAD JOIN(vload, LANES)
#define STORE JOIN(vstore, LANES)
typedef JOIN(float, LANES) Lanes;

#if DIRECT
#define MARGIN RADIUS_X // pixels of the window on either side of the lanes
#else
#define MARGIN ((RADIUS_X + LANES - 1) / LANES * LANES)
#endif
#define WINDOW (LANES + 2 * MARGIN)

/// DO(i) for each i that a filter of any length can have. The weights are arguments: `#pragma unroll`
/// is only a wish, and Mesa's llvmpipe crashes where a loop indexes arguments.
#define FOR_31(DO)                                                                                 \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) \
    DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27)     \
    DO(28) DO(29) DO(30)

/// The pixels that a work-item makes: LANES columns from x on, from `top` to `bottom`, of one
/// image.
typedef struct {
    int x;
    int top;
    int bottom;
    int first_row; // of the image, among those of all images
} Strip;

Strip own_strip(const ImageLayout images)
{
    const int strips = (images.height + STRIP - 1) / STRIP;
    Strip strip;
    strip.x = get_global_id(0) * LANES;
    strip.top = get_global_id(1) % strips * STRIP;
    strip.bottom = min(strip.top + STRIP, images.height);
    strip.first_row = get_global_id(1) / strips * images.height;
    return strip;
}

/// Whether the window of the lanes from x on lies in the image.
bool window_inside(const int x, const int width)
{
    return x >= MARGIN && x + LANES + MARGIN <= width;
}

/// The row that stands in for row y; where zeros do, some row, whose pixels must not count.
global const float *row_at(global const float *image, const ImageLayout images, const int y)
{
    return image + (size_t)max(within(y, images.height), 0) * images.in_pitch;
}

#if LANES == 2
#define GATHER(from) ((Lanes)((from)[0], (from)[1]))
#define SPREAD(lanes, to) ((to)[0] = (lanes).s0, (to)[1] = (lanes).s1)
#elif LANES == 4
#define GATHER(from) ((Lanes)((from)[0], (from)[1], (from)[2], (from)[3]))
#define SPREAD(lanes, to)                                                                          \
    ((to)[0] = (lanes).s0, (to)[1] = (lanes).s1, (to)[2] = (lanes).s2, (to)[3] = (lanes).s3)
#endif

void load_window(private float *window, global const float *restrict row, const int x, const int width,
                 const bool inside)
{
#if !DIRECT
    if (inside) {
#pragma unroll
        for (int i = 0; i < WINDOW; i += LANES) {
#if ALIGNED
            const Lanes pixels = *(global const Lanes *)(row + x - MARGIN + i);
#else
            const Lanes pixels = LOAD(0, row + x - MARGIN + i);
#endif
            SPREAD(pixels, window + i);
        }
        return;
    }
#endif
    if (DIRECT && inside) return; // each step loads its own
#pragma unroll
    for (int i = MARGIN - RADIUS_X; i < WINDOW - MARGIN + RADIUS_X; i++) {
        const int column = within(x + i - MARGIN, width);
        window[i] = column < 0 ? 0 : row[column];
    }
}

/// The pixels that weight `i` of a row of the filter is multiplied with, one a lane.
Lanes neighbors(const private float *window, global const float *restrict row, const int x,
                 const bool inside, const int i)
{
#if DIRECT
    return inside ? LOAD(0, row + x - RADIUS_X + i) : LOAD(0, window + i);
#else
    return GATHER(window + MARGIN - RADIUS_X + i);
#endif
}

/// Writes the lanes from x on; a row's padding may be overwritten, what lies behind it may not.
void store_lanes(global float *restrict row, const Lanes lanes, const int x, const int pitch)
{
#if ALIGNED && !DIRECT
    *(global Lanes *)(row + x) = lanes;
#else
    if (x + LANES <= pitch) {
        STORE(lanes, 0, row + x);
        return;
    }
    float single[LANES];
    STORE(lanes, 0, single);
    for (int i = 0; x + i < pitch; i++) row[x + i] = single[i];
#endif
}
