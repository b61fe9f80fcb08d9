// transpose_vectors: one work-item turns blocks of 16 x 16 in vector registers; no local memory.
//
// A shape for CPUs, where local memory is memory like any other and a barrier is a loop. A
// work-item turns DOWN blocks below one another, so that it writes whole cache lines: bytes need
// four blocks for 64 bytes, floats one.

#include "turn.cl"
#include "turn_registers.cl"

/// The general case, at the right and lower edges.
void turn_edge(global const ELEMENT *in, global ELEMENT *out, const Turn turn, const uint columns, const uint rows)
{
    for (uint column = 0; column < columns; ++column)
        for (uint row = 0; row < rows; ++row)
            out[(size_t)column * turn.out_pitch + row] = in[(size_t)row * turn.in_pitch + column];
}

kernel void transpose(global const ELEMENT *in, global ELEMENT *out, const Turn turn)
{
    const uint column = get_global_id(0) * 16;
    const uint strips = (turn.height + DOWN * 16 - 1) / (DOWN * 16); // down a picture
    const uint first_row = get_global_id(1) % strips * (DOWN * 16);
    const uint picture = get_global_id(1) / strips;
    if (picture >= turn.count || column >= turn.width) return;

    global const ELEMENT *from = in + place_in(turn, picture, first_row, column);
    global ELEMENT *to = out + place_out(turn, picture, first_row, column);
    const uint columns = min(16u, turn.width - column);
    const uint rows = min(DOWN * 16u, turn.height - first_row);
    if (columns < 16 || rows < DOWN * 16) {
        turn_edge(from, to, turn, columns, rows);
        return;
    }
    for (uint down = 0; down < DOWN; ++down) {
        Sixteen block[16];
        for (uint i = 0; i < 16; ++i) block[i] = vload16(0, from + (down * 16 + i) * (size_t)turn.in_pitch);
        turn_registers(block);
        for (uint i = 0; i < 16; ++i) vstore16(block[i], 0, to + i * (size_t)turn.out_pitch + down * 16);
    }
}
