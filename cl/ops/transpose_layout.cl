// transpose_layout: where elements lie before and after. -DELEMENT=float or uchar: their type.

#include "ops_launch.h"

size_t place_in(const TransposeLayout layout, const uint image, const uint row, const uint column)
{
    return ((size_t)image * layout.height + row) * layout.in_pitch + column;
}

/// The place to which the element of (row, column) goes: row `column`, column `row` of the
/// transposed image.
size_t place_out(const TransposeLayout layout, const uint image, const uint row, const uint column)
{
    return ((size_t)image * layout.width + column) * layout.out_pitch + row;
}
