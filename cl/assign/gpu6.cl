// gpu6: register tiles. A work-item has 8 x 16 scores: a dimension is 24 reads, 128 multiply-adds.
//
// A group compares ROWS descriptors with COLUMNS centroids at once: slices of SLICE dimensions of
// both come through local memory, transposed, so that a work-item reads its rows and its columns as
// float4s. While one slice is multiplied the next is on its way (two buffers, one barrier a slice).
// The best, the runner-up and the best's index stay in registers until the end, when the work-items
// of a row meet. This is how matrix products are made fast, with the argmax in place of the result.
//
// DIMENSIONS: a multiple of 4. GROUP_DOWN x GROUP_ACROSS: the work-items of a group, multiples of 8
// and 4. PATCH_COLUMNS: centroids a work-item, a multiple of 4. SLICE: a multiple of 4 such that a
// slice has a whole number of float4s for every work-item, of rows and of columns.
// Centroids come packed, tile by tile [COLUMNS of them][slice][dimension][column], zero beyond k
// and DIMENSIONS, with one slice more that is never used; starts are -||c||^2 / 2, -infinity beyond k.

#include "score.cl"

#define ITEMS (GROUP_DOWN * GROUP_ACROSS)
#define ROWS (GROUP_DOWN * TILE_PATCH_ROWS)
#define COLUMNS (GROUP_ACROSS * PATCH_COLUMNS)
#define SLICES ((DIMENSIONS + SLICE - 1) / SLICE)
#define SLICE_VECTORS (SLICE / 4)
#define ROW_VECTORS (ROWS * SLICE_VECTORS / ITEMS)       // float4s of descriptors an item moves
#define COLUMN_VECTORS (COLUMNS * SLICE_VECTORS / ITEMS) // and of centroids, for each slice

// Work-items form blocks of 8 x 4: 32 run in step on many GPUs. Numbers that differ in the lowest bit
// share their rows, in the next one their columns: NVIDIA's local memory reads once for such a pair.
#define BLOCK_DOWN 8
#define BLOCK_ACROSS 4
#define BLOCKS_DOWN (GROUP_DOWN / BLOCK_DOWN)
#define DOWN_IN_BLOCK(item) ((item) >> 1 & 7)
#define ACROSS_IN_BLOCK(item) (((item) & 1) | ((item) >> 3 & 2))

// A patch is made of float4s which lie so far apart that a block reads without gaps.
#define ROW_STEP (BLOCK_DOWN * 4)
#define COLUMN_STEP (BLOCK_ACROSS * 4)

#define PLACE(i, step) ((i) / 4 * (step) + (i) % 4) // of the i-th row or column after the first

#define STRIDE TILE_ROW_STRIDE(ROWS)
#define TILE_FLOATS TILE_SLICE_FLOATS(ROWS, COLUMNS, SLICE)
#define LAST_FLOATS TILE_MEETING_FLOATS(ROWS, GROUP_ACROSS)
#define POOL_FLOATS (TILE_FLOATS > LAST_FLOATS ? TILE_FLOATS : LAST_FLOATS)

/// A work-item's part of one slice, on its way from global to local memory.
typedef struct {
    float4 rows[ROW_VECTORS];
    float4 columns[COLUMN_VECTORS];
} Parcel;

/// @param rows where each of the item's float4s lies in slice 0
/// @param columns the slice of centroids
Parcel fetch(global const float *const rows[ROW_VECTORS], global const float *columns,
             const uint slice, const uint item)
{
    Parcel parcel;
#pragma unroll
    for (uint v = 0; v < ROW_VECTORS; v++) {
        const uint dimension = slice * SLICE + (v * ITEMS + item) % SLICE_VECTORS * 4;
        parcel.rows[v] = dimension < DIMENSIONS
                             ? *(global const float4 *)(rows[v] + slice * SLICE)
                             : (float4)(0);
    }
#pragma unroll
    for (uint v = 0; v < COLUMN_VECTORS; v++)
        parcel.columns[v] = ((global const float4 *)columns)[v * ITEMS + item];
    return parcel;
}

/// Rows are transposed on the way, columns come as they are.
void put(const Parcel parcel, local float *rows, local float *columns, const uint item)
{
#pragma unroll
    for (uint v = 0; v < ROW_VECTORS; v++) {
        const uint i = v * ITEMS + item;
        local float *to = rows + i % SLICE_VECTORS * 4 * STRIDE + i / SLICE_VECTORS;
        to[0] = parcel.rows[v].x;
        to[STRIDE] = parcel.rows[v].y;
        to[2 * STRIDE] = parcel.rows[v].z;
        to[3 * STRIDE] = parcel.rows[v].w;
    }
#pragma unroll
    for (uint v = 0; v < COLUMN_VECTORS; v++)
        ((local float4 *)columns)[v * ITEMS + item] = parcel.columns[v];
}

/// The numbers that a work-item multiplies in one dimension.
typedef struct {
    float rows[TILE_PATCH_ROWS];
    float columns[PATCH_COLUMNS];
} Operands;

Operands read_operands(local const float *rows, local const float *columns)
{
    Operands operands;
#pragma unroll
    for (uint v = 0; v < TILE_PATCH_ROWS / 4; v++) {
        const float4 x = *(local const float4 *)(rows + v * ROW_STEP);
        operands.rows[4 * v] = x.x;
        operands.rows[4 * v + 1] = x.y;
        operands.rows[4 * v + 2] = x.z;
        operands.rows[4 * v + 3] = x.w;
    }
#pragma unroll
    for (uint v = 0; v < PATCH_COLUMNS / 4; v++) {
        const float4 c = *(local const float4 *)(columns + v * COLUMN_STEP);
        operands.columns[4 * v] = c.x;
        operands.columns[4 * v + 1] = c.y;
        operands.columns[4 * v + 2] = c.z;
        operands.columns[4 * v + 3] = c.w;
    }
    return operands;
}

void multiply(float score[TILE_PATCH_ROWS][PATCH_COLUMNS], const Operands operands)
{
#pragma unroll
    for (uint r = 0; r < TILE_PATCH_ROWS; r++)
#pragma unroll
        for (uint j = 0; j < PATCH_COLUMNS; j++)
            score[r][j] = MULTIPLY_ADD(operands.rows[r], operands.columns[j], score[r][j]);
}

/// The first dimension: the scores begin at their columns' starts.
void multiply_first(float score[TILE_PATCH_ROWS][PATCH_COLUMNS], const Operands operands,
                    global const float *starts)
{
#pragma unroll
    for (uint j = 0; j < PATCH_COLUMNS; j++) {
        const float start = starts[PLACE(j, COLUMN_STEP)];
#pragma unroll
        for (uint r = 0; r < TILE_PATCH_ROWS; r++)
            score[r][j] = MULTIPLY_ADD(operands.rows[r], operands.columns[j], start);
    }
}

/// Sums of squares of the float4s that this item moves, for the norms.
void sum_squares(local float *squares, global const float *const rows[ROW_VECTORS],
                 const uint item)
{
#pragma unroll
    for (uint v = 0; v < ROW_VECTORS; v++) {
        const uint i = v * ITEMS + item;
        float sum = 0;
        for (uint d = 0; d + i % SLICE_VECTORS * 4 < DIMENSIONS; d += SLICE) {
            const float4 x = *(global const float4 *)(rows[v] + d);
            sum += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
        }
        squares[i] = sum;
    }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void assign(global const float *descriptors, global const uint *count,
            global const float *centroids, global const float *starts, ScorePass search,
            global const uint *bag,
            global int *words, global uint *histograms, global uint *unproven)
{
    local float pool[POOL_FLOATS] __attribute__((aligned(16)));
    local float squares[ROWS * SLICE_VECTORS];
    local float *row_slices = pool;                             // [2][SLICE][STRIDE]
    local float *column_slices = pool + 2 * SLICE * STRIDE; // [2][SLICE][COLUMNS]

    search.n = *count;
    const uint first = get_group_id(0) * ROWS;
    if (first >= search.n) search.k = 0; // nothing to do, but all meet at the barriers
    const uint item = get_local_id(0);
    const uint block = item / (BLOCK_DOWN * BLOCK_ACROSS);
    const uint across = block / BLOCKS_DOWN * BLOCK_ACROSS + ACROSS_IN_BLOCK(item);
    const uint my_row = block % BLOCKS_DOWN * (BLOCK_DOWN * TILE_PATCH_ROWS) + DOWN_IN_BLOCK(item) * 4;
    const uint my_column =
        block / BLOCKS_DOWN * (BLOCK_ACROSS * PATCH_COLUMNS) + ACROSS_IN_BLOCK(item) * 4;
    global const float *moved[ROW_VECTORS];
#pragma unroll
    for (uint v = 0; v < ROW_VECTORS; v++) {
        const uint i = v * ITEMS + item;
        const uint row = min(first + i / SLICE_VECTORS, max(search.n, 1u) - 1);
        moved[v] = descriptors + (size_t)row * DIMENSIONS + i % SLICE_VECTORS * 4;
    }
    sum_squares(squares, moved, item);

    global const float *columns = centroids;
    put(fetch(moved, columns, 0, item), row_slices, column_slices, item);
    barrier(CLK_LOCAL_MEM_FENCE);
    local const float *x = row_slices + my_row;
    local const float *c = column_slices + my_column;
    Operands operands[2];
    operands[0] = read_operands(x, c);
    uint buffer = 0;

    float score[TILE_PATCH_ROWS][PATCH_COLUMNS];
    Match match[TILE_PATCH_ROWS];
#pragma unroll
    for (uint r = 0; r < TILE_PATCH_ROWS; r++) match[r] = no_match();
    uint last = 0;
    for (uint tile = 0; tile < search.k; tile += COLUMNS) {
        for (uint slice = 0; slice < SLICES; slice++) {
            columns += SLICE * COLUMNS;
            const uint next_slice = slice + 1 == SLICES ? 0 : slice + 1;
            const Parcel next = fetch(moved, columns, next_slice, item);
#pragma unroll
            for (uint d = 0; d < SLICE; d++) {
                // The next dimension's operands, of the next slice too, are read meanwhile.
                if (d == SLICE - 1) {
                    buffer ^= 1;
                    put(next, row_slices + buffer * SLICE * STRIDE,
                        column_slices + buffer * SLICE * COLUMNS, item);
                    barrier(CLK_LOCAL_MEM_FENCE);
                    x = row_slices + buffer * SLICE * STRIDE + my_row;
                    c = column_slices + buffer * SLICE * COLUMNS + my_column;
                }
                const uint next_d = (d + 1) % SLICE;
                operands[(d + 1) % 2] =
                    read_operands(x + next_d * STRIDE, c + next_d * COLUMNS);
                if (d == 0 && slice == 0)
                    multiply_first(score, operands[0], starts + tile + my_column);
                else
                    multiply(score, operands[d % 2]);
            }
        }
#pragma unroll
        for (uint r = 0; r < TILE_PATCH_ROWS; r++)
#pragma unroll
            for (uint j = 0; j < PATCH_COLUMNS; j++)
                match[r] = offer_score(match[r], score[r][j], tile + PLACE(j, COLUMN_STEP));
        last = LAST_SEEN(starts[tile], tile, last);
    }
    if (last + COLUMNS < search.k) search.largest_norm = -1; // then nothing is proven

    // The work-items of a row meet where the slices were.
    barrier(CLK_LOCAL_MEM_FENCE);
    local float *bests = pool; // [GROUP_ACROSS][ROWS]
    local float *seconds = bests + GROUP_ACROSS * ROWS;
    local uint *found = (local uint *)(seconds + GROUP_ACROSS * ROWS);
#pragma unroll
    for (uint r = 0; r < TILE_PATCH_ROWS; r++) {
        const uint at = across * ROWS + my_row + PLACE(r, ROW_STEP);
        bests[at] = match[r].best;
        seconds[at] = match[r].second;
        found[at] = match[r].word + my_column;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = item; r < ROWS && first + r < search.n; r += ITEMS) {
        Match whole = no_match();
        for (uint a = 0; a < GROUP_ACROSS; a++) {
            whole.second = fmax(whole.second, seconds[a * ROWS + r]);
            whole = offer_score(whole, bests[a * ROWS + r], found[a * ROWS + r]);
        }
        float square = 0;
        for (uint v = 0; v < SLICE_VECTORS; v++) square += squares[r * SLICE_VECTORS + v];
        settle_match(whole, sqrt(square), first + r, search, bag, words,
                     histograms, unproven);
    }
}
