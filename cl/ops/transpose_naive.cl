// transpose_naive: rows become columns, one work-item an element; writes are a row apart.

#include "transpose_layout.cl"

kernel void transpose(global const ELEMENT *in, global ELEMENT *out, const TransposeLayout layout)
{
    const uint column = get_global_id(0);
    const uint row = get_global_id(1) % layout.height;
    const uint image = get_global_id(1) / layout.height;
    if (image < layout.count && column < layout.width)
        out[place_out(layout, image, row, column)] = in[place_in(layout, image, row, column)];
}
