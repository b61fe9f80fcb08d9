// gaussian_rows: one work-item blurs a row: the pass that a wide image starves, here to be compared.
//
// -DPIXELS=4 reads and writes four pixels of the row at once, -DPIXELS=1 each by itself.

#include "gaussian_strips.cl"

/// Pixels [x, x + PIXELS) of a row, as far as there are any.
void load_pixels(float *pixels, global const float *row, const uint x, const uint width)
{
#if PIXELS == 4
    if (x + 4 <= width) {
        vstore4(vload4(0, row + x), 0, pixels);
        return;
    }
#endif
    for (uint i = 0; i < PIXELS; ++i) pixels[i] = x + i < width ? row[x + i] : 0;
}

void store_pixels(const float *pixels, global float *row, const uint x, const uint width)
{
#if PIXELS == 4
    if (x + 4 <= width) {
        vstore4(vload4(0, pixels), 0, row + x);
        return;
    }
#endif
    for (uint i = 0; i < PIXELS; ++i)
        if (x + i < width) row[x + i] = pixels[i];
}

kernel void blur_rows(global const float *restrict in, global float *restrict out, const GaussianCut shape,
                      const Gaussian gaussian)
{
    const size_t number = get_global_id(0);
    if (number >= (size_t)shape.height * shape.count) return;
    in += number * shape.in_pitch;
    out += number * shape.out_pitch;

    State state = settled(&gaussian, in[0]);
    for (uint x = 0; x < shape.width; x += PIXELS) {
        float pixels[PIXELS];
        load_pixels(pixels, in, x, shape.width);
        for (uint i = 0; i < PIXELS; ++i) pixels[i] = advance(&state, &gaussian, pixels[i]);
        store_pixels(pixels, out, x, shape.width);
    }

    state = settled(&gaussian, in[shape.width - 1]);
    for (uint blocks = (shape.width + PIXELS - 1) / PIXELS; blocks-- > 0;) {
        const uint x = blocks * PIXELS;
        float pixels[PIXELS], kept[PIXELS];
        load_pixels(pixels, in, x, shape.width);
        load_pixels(kept, out, x, shape.width);
        for (uint i = PIXELS; i-- > 0;)
            if (x + i < shape.width) pixels[i] = advance(&state, &gaussian, pixels[i]) + kept[i];
        store_pixels(pixels, out, x, shape.width);
    }
}
