// crowd: the rule among all contenders of a row, where gpu7 found too many.
//
// An entry names a row and the score that a contender must reach. The fp16 scores are computed once
// more; a centroid that reaches it is noted down, and what is noted is compared by the rule.
// CROWD_ROWS rows a group; its warps share out the centroids, and read each once for all rows. Rows
// with more contenders than there is room for are listed as unproven; the second word of the first
// entry counts them.
//
// Each loop keeps what it saw last (last_seen.cl). Rows of which it did not see all are listed, too.

#include "last_seen.cl"
#include "matrix.cl"
#include "rule.cl"

#define ROOM 64 // contenders a row
#define NO_WORD 0xffffffff
#define SHARE (CROWD_GROUP / CROWD_ROWS) // work-items that compare one row's contenders

kernel __attribute__((reqd_work_group_size(CROWD_GROUP, 1, 1)))
void crowd(global const float *descriptors, global const float *centroids,
           global const uint4 *fragments, global const float2 *starts, const MatrixPass pass,
           global int *words, global uint2 *crowded, global uint *unproven)
{
    local uint contenders[CROWD_ROWS][ROOM];
    local uint found[CROWD_ROWS];
    local double nearest_distance[CROWD_ROWS][SHARE];
    local uint nearest_word[CROWD_ROWS][SHARE];
    const uint item = get_local_id(0);
    const uint lane = item % WARP;
    const uint place = lane % 4;
    global uint *const counts = (global uint *)crowded; // of entries, of those left to the rule
    const uint entries = counts[0];

    for (uint first = get_group_id(0) * CROWD_ROWS; first < entries;
         first += get_num_groups(0) * CROWD_ROWS) {
        if (item < CROWD_ROWS) found[item] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);

        uint x[CROWD_TILES][STEPS][4];
        float threshold[2 * CROWD_TILES];
#pragma unroll
        for (uint slot = 0; slot < 2 * CROWD_TILES; slot++) {
            const uint entry = first + lane / 4 + 8 * slot;
            const uint2 what = entry < entries ? crowded[1 + entry] : (uint2)(0, as_uint(INFINITY));
            threshold[slot] = as_float(what.y);
            load_descriptor(x[slot / 2], slot % 2, (global const float4 *)descriptors, what.x, pass.scale);
        }
        uint behind_last = item / WARP;
        for (uint block = item / WARP; block < pass.blocks; block += CROWD_GROUP / WARP) {
            behind_last = LAST_SEEN(starts[block * (MATRIX_BLOCK / 2) + MATRIX_TILES * place].x,
                                    block + CROWD_GROUP / WARP, behind_last);
#pragma unroll
            for (uint tile = 0; tile < MATRIX_TILES; tile++) {
                float scores[4 * CROWD_TILES];
#pragma unroll
                for (uint part = 0; part < CROWD_TILES; part++)
                    score_tile(scores + 4 * part, x[part],
                               fragments + (block * MATRIX_TILES + tile) * (PAIRS * WARP) + lane,
                               starts[block * (MATRIX_BLOCK / 2) + MATRIX_TILES * place + tile]);
#pragma unroll
                for (uint i = 0; i < 4 * CROWD_TILES; i++)
                    if (scores[i] >= threshold[i / 2]) {
                        const uint row = lane / 4 + 8 * (i / 2);
                        const uint at = atomic_inc(&found[row]);
                        if (at < ROOM)
                            contenders[row][at] = block * MATRIX_BLOCK + 8 * place + 2 * tile + i % 2;
                    }
            }
        }
        if (behind_last < pass.blocks && lane < CROWD_ROWS) atomic_add(&found[lane], ROOM + 1);
        barrier(CLK_LOCAL_MEM_FENCE);

        const uint mine = item / SHARE;
        const uint share = item % SHARE;
        const uint entry = first + mine;
        const uint row = entry < entries ? crowded[1 + entry].x : 0;
        const uint noted = found[mine] <= ROOM ? found[mine] : 0;
        double best = INFINITY;
        uint word = NO_WORD;
        uint behind_compared = share;
        for (uint i = share; i < noted; i += SHARE) {
            const uint centroid = contenders[mine][i];
            const double distance = squared_distance(descriptors + (size_t)row * DIMENSIONS,
                                                     centroids + (size_t)centroid * DIMENSIONS);
            if (distance < best || (distance == best && centroid < word)) {
                best = distance;
                word = centroid;
            }
            behind_compared = distance < INFINITY ? i + SHARE : behind_compared;
        }
        if (behind_compared < noted) {
            best = -1; // nearer than any
            word = NO_WORD;
        }
        nearest_distance[mine][share] = best;
        nearest_word[mine][share] = word;
        barrier(CLK_LOCAL_MEM_FENCE);

        if (share == 0 && entry < entries) {
            uint last_share = 0;
            for (uint other = 1; other < SHARE; other++) {
                const double distance = nearest_distance[mine][other];
                const uint other_word = nearest_word[mine][other];
                if (distance < best || (distance == best && other_word < word)) {
                    best = distance;
                    word = other_word;
                }
                last_share = distance >= -1 ? other : last_share;
            }
            if (word != NO_WORD && last_share == SHARE - 1) {
                words[row] = (int)word;
            } else {
                unproven[1 + atomic_inc(unproven)] = row;
                atomic_inc(&counts[1]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); // all is read before the next round writes
    }
}
