// transpose_naive: rows become columns, one work-item an element.
//
// Reads are contiguous, writes are a row apart: the fault that the tiles mend.

#include "turn.cl"

kernel void transpose(global const ELEMENT *in, global ELEMENT *out, const Turn turn)
{
    const uint column = get_global_id(0);
    const uint row = get_global_id(1) % turn.height;
    const uint picture = get_global_id(1) / turn.height;
    if (picture < turn.count && column < turn.width)
        out[place_out(turn, picture, row, column)] = in[place_in(turn, picture, row, column)];
}
