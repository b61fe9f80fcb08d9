// codes_plain: codes compared with codes on any device. A work-item has 8 x 8 exact products.
//
// A group takes 64 rows and 64 columns. Slices of 64 dimensions of both lie in local memory, four
// dimensions a word, transposed, so that a work-item reads its rows and its columns as uint4s.
//
// SLICES: of a code. DP4A: four products and their sum are one instruction (NVIDIA's, from 6.1 on).

#include "candidates.cl"

#define PATCH 8                     // rows and columns of a work-item, in two uint4s apart
#define HALF_TILE (CODE_TILE / 2)   // from one to the other
#define SLICE_WORDS (CODE_SLICE / 4)

/// sum and the four products of bytes.
int add_products(const uint a, const uint b, const int sum)
{
#ifdef DP4A
    int result;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
#else
    const int4 products = convert_int4(as_char4(a)) * convert_int4(as_char4(b));
    return sum + products.x + products.y + products.z + products.w;
#endif
}

/// A code's slice, from where its words belong in local memory on.
void put_slice(global const uint4 *code, local uint *to)
{
    for (uint quad = 0; quad < SLICE_QUADS; quad++) {
        const uint4 words = code[quad];
        to[(4 * quad) * CODE_TILE] = words.x;
        to[(4 * quad + 1) * CODE_TILE] = words.y;
        to[(4 * quad + 2) * CODE_TILE] = words.z;
        to[(4 * quad + 3) * CODE_TILE] = words.w;
    }
}

void read_patch(local const uint *words, uint patch[PATCH])
{
    const uint4 low = *(local const uint4 *)words;
    const uint4 high = *(local const uint4 *)(words + HALF_TILE);
    patch[0] = low.x;
    patch[1] = low.y;
    patch[2] = low.z;
    patch[3] = low.w;
    patch[4] = high.x;
    patch[5] = high.y;
    patch[6] = high.z;
    patch[7] = high.w;
}

void multiply(int products[PATCH][PATCH], local const uint *rows, local const uint *columns)
{
    for (uint word = 0; word < SLICE_WORDS; word++) {
        uint x[PATCH];
        uint y[PATCH];
        read_patch(rows + word * CODE_TILE, x);
        read_patch(columns + word * CODE_TILE, y);
#pragma unroll
        for (uint r = 0; r < PATCH; r++)
#pragma unroll
            for (uint c = 0; c < PATCH; c++)
                products[r][c] = add_products(x[r], y[c], products[r][c]);
    }
}

/// The place of row or column `i` of a patch whose first one is `first`.
uint place_in_tile(const uint first, const uint i)
{
    return first + i / 4 * HALF_TILE + i % 4;
}

kernel __attribute__((reqd_work_group_size(PLAIN_GROUP, PLAIN_GROUP, 1)))
void compare(global const uint4 *codes, global const float *inverse_norms,
             global const float *limits, global uint *counts, global uint2 *candidates,
             const CodePass pass)
{
    local uint rows[SLICE_WORDS * CODE_TILE] __attribute__((aligned(16)));
    local uint columns[SLICE_WORDS * CODE_TILE] __attribute__((aligned(16)));
    const uint item = get_local_id(1) * PLAIN_GROUP + get_local_id(0);
    const uint row_tile = pass.first_row + get_group_id(1) * CODE_TILE;
    const uint column_tile = pass.first_column + get_group_id(0) * CODE_TILE;
    int products[PATCH][PATCH] = {{0}};
    for (uint slice = 0; slice < SLICES; slice++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint from = slice * SLICE_QUADS;
        put_slice(codes + (size_t)(row_tile + item) * CODE_QUADS + from, rows + item);
        put_slice(codes + (size_t)(column_tile + item) * CODE_QUADS + from, columns + item);
        barrier(CLK_LOCAL_MEM_FENCE);
        multiply(products, rows + 4 * get_local_id(1), columns + 4 * get_local_id(0));
    }
    for (uint c = 0; c < PATCH; c++) {
        const uint column = column_tile + place_in_tile(4 * get_local_id(0), c);
        const float inverse_norm = inverse_norms[column];
        for (uint r = 0; r < PATCH; r++) {
            const uint row = row_tile + place_in_tile(4 * get_local_id(1), r);
            if (reaches(products[r][c], inverse_norm, limit_of(limits, pass, row)))
                append_candidate(row, column, products[r][c], pass, counts, candidates);
        }
    }
}
