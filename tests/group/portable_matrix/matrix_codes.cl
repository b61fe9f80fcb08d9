// matrix_codes: cl/group/matrix_codes.cl for devices without matrix units and warps.
//
// The same names. A work-item computes its products by itself: what it holds of its rows is where
// to find them. tests/group/device_neighbors_test.cpp puts this in the place of the other.

#include "candidates.cl"

#define WARP 32
#define ROW_TILES 2
#define TILE_SLICE (CODE_TILE * SLICE_QUADS)

typedef struct {
    global const uint4 *first;
} CodeRows;

void load_code_rows(private CodeRows *rows, global const uint4 *codes, const uint first)
{
    rows->first = codes + (size_t)first * CODE_QUADS;
}

/// Sixteen at a time: where loops end early, few steps are left to this one.
int product(global const uint4 *row, local const uint4 *tile, const uint column)
{
    int sum = 0;
    for (uint i = 0; i < CODE_QUADS; i++) {
        local const uint4 *slice = tile + i / SLICE_QUADS * TILE_SLICE + column * SLICE_QUADS;
        const int16 products = convert_int16(as_char16(row[i])) *
                               convert_int16(as_char16(slice[i % SLICE_QUADS]));
        const int8 eight = products.lo + products.hi;
        const int4 four = eight.lo + eight.hi;
        sum += four.x + four.y + four.z + four.w;
    }
    return sum;
}

void multiply_tile(int products[ROW_TILES][4], const private CodeRows *rows,
                   local const uint4 *tile, const uint at)
{
    const uint lane = get_local_id(0) % WARP;
    for (uint m = 0; m < ROW_TILES; m++)
        for (uint i = 0; i < 4; i++) {
            const uint row = 16 * m + 8 * (i / 2) + lane / 4;
            products[m][i] = product(rows->first + row * CODE_QUADS, tile,
                                     at + 2 * (lane % 4) + i % 2);
        }
}

uint ballot(const bool vote)
{
    return vote;
}

void warp_barrier()
{
}

void copy_quad(local uint4 *to, global const uint4 *from)
{
    *to = *from;
}

void end_of_copies()
{
}

#define await_copies(but)
