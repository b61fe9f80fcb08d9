// gpu6: register tiles. A work-item computes 8 x 8 scores at a time and so uses each float that it
// reads eight times.
//
// A group compares ROWS descriptors with COLUMNS centroids at once: slices of SLICE dimensions of
// both come through local memory, transposed, so that a work-item reads its eight rows and its
// eight columns as float4s. While one slice is multiplied the next is on its way (two buffers, one
// barrier a slice). The best, the runner-up and the best's index stay in registers until the end,
// when the work-items of a row meet. This is how matrix products are made fast, with the argmax in
// place of the result.
//
// DIMENSIONS: a multiple of 4. ITEMS_DOWN x ITEMS_ACROSS: the work-items of a group, multiples of 4
// and 8. SLICE: a multiple of 4 such that the group has a float4 of each slice for everybody.
// Centroids come packed, tile by tile [COLUMNS of them][slice][dimension][column], zero beyond k
// and DIMENSIONS, with one slice more that is read and never used; their starts are -||c||^2 / 2,
// -infinity beyond k.

#include "score.cl"

#define ITEMS (ITEMS_DOWN * ITEMS_ACROSS)
#define PATCH 8 // scores along each side of what a work-item computes: two float4s
#define ROWS (ITEMS_DOWN * PATCH)
#define COLUMNS (ITEMS_ACROSS * PATCH)
#define SLICES ((DIMENSIONS + SLICE - 1) / SLICE)
#define SLICE_VECTORS (SLICE / 4)
#define ROW_VECTORS (ROWS * SLICE_VECTORS / ITEMS)       // float4s of descriptors an item moves
#define COLUMN_VECTORS (COLUMNS * SLICE_VECTORS / ITEMS) // and of centroids, for each slice

// Neighbouring work-items form blocks of 4 x 8: they read few different addresses at a time, and
// a GPU answers equal ones with one broadcast.
#define BLOCK_DOWN 4
#define BLOCK_ACROSS 8
#define BLOCKS_DOWN (ITEMS_DOWN / BLOCK_DOWN)
#define SECOND_ROWS (BLOCK_DOWN * 4)      // from an item's first four rows to its other four
#define SECOND_COLUMNS (BLOCK_ACROSS * 4) // and columns

#define ROW_STRIDE (ROWS + 4) // transposing stores land in different banks
#define TILE_FLOATS (2 * SLICE * (ROW_STRIDE + COLUMNS))
#define MEETING_FLOATS (3 * ITEMS_ACROSS * ROWS)
#define POOL_FLOATS (TILE_FLOATS > MEETING_FLOATS ? TILE_FLOATS : MEETING_FLOATS)

/// What a work-item moves of one slice, on its way from global to local memory.
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
        local float *to = rows + i % SLICE_VECTORS * 4 * ROW_STRIDE + i / SLICE_VECTORS;
        to[0] = parcel.rows[v].x;
        to[ROW_STRIDE] = parcel.rows[v].y;
        to[2 * ROW_STRIDE] = parcel.rows[v].z;
        to[3 * ROW_STRIDE] = parcel.rows[v].w;
    }
#pragma unroll
    for (uint v = 0; v < COLUMN_VECTORS; v++)
        ((local float4 *)columns)[v * ITEMS + item] = parcel.columns[v];
}

/// Where the j-th of an item's rows or columns lies, counted from its first.
uint place(const uint j, const uint second) { return j / 4 * second + j % 4; }

/// Eight floats: four here, four `second` further on.
void read_patch(float to[PATCH], local const float *from, const uint second)
{
    const float4 low = *(local const float4 *)from;
    const float4 high = *(local const float4 *)(from + second);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

/// Adds the outer products of one slice: of eight rows and eight columns in each dimension. The
/// scores begin at `starts`, those of the columns, or go on where it is null.
void multiply(float score[PATCH][PATCH], local const float *rows, local const float *columns,
              global const float *starts)
{
#pragma unroll
    for (uint d = 0; d < SLICE; d++) {
        float x[PATCH];
        float c[PATCH];
        read_patch(x, rows + d * ROW_STRIDE, SECOND_ROWS);
        read_patch(c, columns + d * COLUMNS, SECOND_COLUMNS);
#pragma unroll
        for (uint r = 0; r < PATCH; r++)
#pragma unroll
            for (uint j = 0; j < PATCH; j++) {
                const bool begins = starts != 0 && d == 0;
                score[r][j] = MULTIPLY_ADD(
                    x[r], c[j], begins ? starts[place(j, SECOND_COLUMNS)] : score[r][j]);
            }
    }
}

/// Sums of squares of the parts that this item moves, for the norms.
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
void assign(global const float *descriptors, global const float *centroids,
            global const float *starts, const Search search, global const uint *list,
            global const uint *image, global int *words, global uint *histograms,
            global uint *unproven)
{
    local float pool[POOL_FLOATS] __attribute__((aligned(16)));
    local float squares[ROWS * SLICE_VECTORS];
    local float *row_slices = pool;                             // [2][SLICE][ROW_STRIDE]
    local float *column_slices = pool + 2 * SLICE * ROW_STRIDE; // [2][SLICE][COLUMNS]

    const uint item = get_local_id(0);
    const uint block = item / (BLOCK_DOWN * BLOCK_ACROSS);
    const uint my_row = block % BLOCKS_DOWN * (BLOCK_DOWN * PATCH) +
                        item / BLOCK_ACROSS % BLOCK_DOWN * 4;
    const uint my_column = block / BLOCKS_DOWN * (BLOCK_ACROSS * PATCH) + item % BLOCK_ACROSS * 4;
    const uint rows = ROWS_TO_SEARCH(search, list);

    for (uint first = get_group_id(0) * ROWS; first < rows; first += get_num_groups(0) * ROWS) {
        global const float *my_rows[ROW_VECTORS];
#pragma unroll
        for (uint v = 0; v < ROW_VECTORS; v++) {
            const uint i = v * ITEMS + item;
            const uint row = ROW(list, min(first + i / SLICE_VECTORS, rows - 1));
            my_rows[v] = descriptors + (size_t)row * DIMENSIONS + i % SLICE_VECTORS * 4;
        }
        sum_squares(squares, my_rows, item);

        Match match[PATCH];
#pragma unroll
        for (uint r = 0; r < PATCH; r++) match[r] = no_match();
        float score[PATCH][PATCH];
        global const float *columns = centroids;
        put(fetch(my_rows, columns, 0, item), row_slices, column_slices, item);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint buffer = 0;
        for (uint tile = 0; tile < search.k; tile += COLUMNS) {
            for (uint slice = 0; slice < SLICES; slice++) {
                columns += SLICE * COLUMNS;
                const Parcel next =
                    fetch(my_rows, columns, slice + 1 == SLICES ? 0 : slice + 1, item);
                local const float *x = row_slices + buffer * SLICE * ROW_STRIDE + my_row;
                local const float *c = column_slices + buffer * SLICE * COLUMNS + my_column;
                if (slice == 0)
                    multiply(score, x, c, starts + tile + my_column);
                else
                    multiply(score, x, c, 0);
                buffer ^= 1;
                put(next, row_slices + buffer * SLICE * ROW_STRIDE,
                    column_slices + buffer * SLICE * COLUMNS, item);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
#pragma unroll
            for (uint r = 0; r < PATCH; r++)
#pragma unroll
                for (uint j = 0; j < PATCH; j++)
                    match[r] = offer_score(match[r], score[r][j],
                                           tile + my_column + place(j, SECOND_COLUMNS));
        }

        // The work-items of a row meet; the slices are no longer needed.
        local float *bests = pool; // [ITEMS_ACROSS][ROWS]
        local float *seconds = bests + ITEMS_ACROSS * ROWS;
        local uint *found = (local uint *)(seconds + ITEMS_ACROSS * ROWS);
        const uint across = my_column / (BLOCK_ACROSS * PATCH) * BLOCK_ACROSS + item % BLOCK_ACROSS;
#pragma unroll
        for (uint r = 0; r < PATCH; r++) {
            const uint at = across * ROWS + my_row + place(r, SECOND_ROWS);
            bests[at] = match[r].best;
            seconds[at] = match[r].second;
            found[at] = match[r].word;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint r = item; r < ROWS && first + r < rows; r += ITEMS) {
            Match whole = no_match();
            for (uint a = 0; a < ITEMS_ACROSS; a++) {
                whole.second = fmax(whole.second, seconds[a * ROWS + r]);
                whole = offer_score(whole, bests[a * ROWS + r], found[a * ROWS + r]);
            }
            float square = 0;
            for (uint v = 0; v < SLICE_VECTORS; v++) square += squares[r * SLICE_VECTORS + v];
            settle_match(whole, sqrt(square), ROW(list, first + r), search, image, words,
                         histograms, unproven);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // nobody puts a slice where others still read
    }
}
