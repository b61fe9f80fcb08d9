// matrix_codes: codes as the matrix unit takes them, and the instruction, as inline PTX.
//
// mma.sync multiplies 16 rows by 8 columns, 32 dimensions at a time, for a warp of 32 work-items
// (PTX ISA, "Matrix Fragments for mma.m16n8k32"); its sums are integers of 32 bits, and exact. A
// quad, four neighboring work-items, shares a row and a column, and each holds four words of every
// slice of 16, of its rows in registers, of a column as it is multiplied. Which dimensions meet in
// a step does not matter, if they are the same of both: so codes lie as they are, in no order of
// the instruction's.

#include "candidates.cl"
#include "warp.cl"

#define ROW_TILES 2 // of 16 rows, a warp
#define STEPS (2 * SLICES) // of 32 dimensions
#define TILE_SLICE (CODE_TILE * SLICE_QUADS) // uint4s of a slice of a tile: [slice][column][quad]

/// A warp's rows, the work-item's part: rows lane / 4 + 8 * (slot % 2) of tile slot / 2.
typedef struct {
    uint x[ROW_TILES][STEPS][4];
} CodeRows;

void load_code_rows(private CodeRows *rows, global const uint4 *codes, const uint first)
{
    const uint lane = get_local_id(0) % WARP;
#pragma unroll
    for (uint slot = 0; slot < 2 * ROW_TILES; slot++) {
        global const uint4 *code = codes + (size_t)(first + 8 * slot + lane / 4) * CODE_QUADS + lane % 4;
#pragma unroll
        for (uint slice = 0; slice < SLICES; slice++) {
            const uint4 words = code[slice * SLICE_QUADS];
            rows->x[slot / 2][2 * slice][slot % 2] = words.x;
            rows->x[slot / 2][2 * slice][slot % 2 + 2] = words.y;
            rows->x[slot / 2][2 * slice + 1][slot % 2] = words.z;
            rows->x[slot / 2][2 * slice + 1][slot % 2 + 2] = words.w;
        }
    }
}

void multiply_codes(private int *sums, const private uint *rows, const uint low, const uint high)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(low), "r"(high));
}

/// The products of the warp's rows and 8 columns, `at` and those that follow: of each tile of rows
/// row lane / 4 with columns 2 * (lane % 4) and the next one, then the row eight further.
void multiply_tile(int products[ROW_TILES][4], const private CodeRows *rows,
                   local const uint4 *tile, const uint at)
{
    const uint lane = get_local_id(0) % WARP;
#pragma unroll
    for (uint m = 0; m < ROW_TILES; m++)
#pragma unroll
        for (uint i = 0; i < 4; i++) products[m][i] = 0;
#pragma unroll
    for (uint slice = 0; slice < SLICES; slice++) {
        const uint4 words = tile[slice * TILE_SLICE + at * SLICE_QUADS + lane];
#pragma unroll
        for (uint m = 0; m < ROW_TILES; m++) {
            multiply_codes(products[m], rows->x[m][2 * slice], words.x, words.y);
            multiply_codes(products[m], rows->x[m][2 * slice + 1], words.z, words.w);
        }
    }
}
