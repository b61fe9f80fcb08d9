// images: how a batch lies in memory, and what stands in for pixels outside of an image.
//
// -DBORDER says what: 0 zeros, 1 the nearest pixel, 2 the image mirrored about its outermost
// pixels, which are not repeated. A filter of -DFILTER_WIDTH x -DFILTER_HEIGHT reaches RADIUS_X and
// RADIUS_Y pixels from its center.

#include "ops_launch.h"

#define RADIUS_X (FILTER_WIDTH / 2)
#define RADIUS_Y (FILTER_HEIGHT / 2)

/// The place in [0, size) that stands in for `place`; -1 for a zero.
int within(int place, const int size)
{
#if BORDER == 0
    return place >= 0 && place < size ? place : -1;
#elif BORDER == 1
    return clamp(place, 0, size - 1);
#else
    if (size == 1) return 0;
    while (place < 0 || place >= size) // more than once where the filter outgrows the image
        place = place < 0 ? -place : 2 * (size - 1) - place;
    return place;
#endif
}

float pixel_at(global const float *image, const ImageLayout images, const int x, const int y)
{
    const int column = within(x, images.width);
    const int row = within(y, images.height);
    return column < 0 || row < 0 ? 0 : image[(size_t)row * images.in_pitch + column];
}
