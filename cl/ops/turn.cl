// turn: what every transpose is told. -DELEMENT=float or uchar says what is turned.

#include "ops_launch.h"

size_t place_in(const Turn turn, const uint picture, const uint row, const uint column)
{
    return ((size_t)picture * turn.height + row) * turn.in_pitch + column;
}

/// Where the element of (row, column) goes: row `column`, column `row` of the turned picture.
size_t place_out(const Turn turn, const uint picture, const uint row, const uint column)
{
    return ((size_t)picture * turn.width + column) * turn.out_pitch + row;
}
