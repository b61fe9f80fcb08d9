// transpose_vectors: one work-item turns blocks of 16 x 16 in vector registers; for CPUs.
//
// It turns DOWN blocks below one another, to write whole cache lines: bytes need four blocks for 64
// bytes, floats one.

#include "transpose_layout.cl"
#include "transpose_registers.cl"

/// The general case, at the right and lower edges.
void transpose_edge(global const ELEMENT *in, global ELEMENT *out, const TransposeLayout layout, const uint columns, const uint rows)
{
    for (uint column = 0; column < columns; ++column)
        for (uint row = 0; row < rows; ++row)
            out[(size_t)column * layout.out_pitch + row] = in[(size_t)row * layout.in_pitch + column];
}

kernel void transpose(global const ELEMENT *in, global ELEMENT *out, const TransposeLayout layout)
{
    const uint column = get_global_id(0) * 16;
    const uint strips = (layout.height + DOWN * 16 - 1) / (DOWN * 16); // down an image
    const uint first_row = get_global_id(1) % strips * (DOWN * 16);
    const uint image = get_global_id(1) / strips;
    if (image >= layout.count || column >= layout.width) return;

    global const ELEMENT *from = in + place_in(layout, image, first_row, column);
    global ELEMENT *to = out + place_out(layout, image, first_row, column);
    const uint columns = min(16u, layout.width - column);
    const uint rows = min(DOWN * 16u, layout.height - first_row);
    if (columns < 16 || rows < DOWN * 16) {
        transpose_edge(from, to, layout, columns, rows);
        return;
    }
    for (uint down = 0; down < DOWN; ++down) {
        Sixteen block[16];
        for (uint i = 0; i < 16; ++i) block[i] = vload16(0, from + (down * 16 + i) * (size_t)layout.in_pitch);
        transpose_registers(block);
        for (uint i = 0; i < 16; ++i) vstore16(block[i], 0, to + i * (size_t)layout.out_pitch + down * 16);
    }
}
