// gpu7: matrix hardware. Scores in fp16 by mma.sync, the winner proven or listed.
//
// The score of centroid c is x.c - |c|^2/2: the nearest has the highest. A warp keeps 32
// descriptors in registers, as fp16 fragments, while the centroids stream through local memory in
// the order in which the instruction wants them. An exact ranking would cost more than the
// products; so each work-item ranks groups of eight centroids by their best alone, and only at the
// end computes the eight scores of the winning group once more. The bound on a score's error comes
// from what the rounding to fp16 really lost. Rows with several contenders go to contest.cl, rows
// with contenders in three groups or more to crowd.cl.
//
// DIMENSIONS: a multiple of 4. STEPS: DIMENSIONS in steps of 16, an even number. RANK_BITS: the
// low bits of a score that hold the number of its block.

#include "last_seen.cl"
#include "matrix.cl"
#include "score_bound.cl"

#define ROW_TILES 2           // of 16 descriptors, a warp
#define ROWS (16 * ROW_TILES) // a warp's
#define SLOTS (2 * ROW_TILES) // descriptors that a work-item keeps the ranking of

/// The best groups of a work-item for a descriptor, by best scores, whose low bits number the block.
typedef struct {
    float first, second, third;
} Ranking;

/// A warp's descriptors, in two arrangements. As operands: a quad, four neighboring work-items,
/// holds one of every eight descriptors, four in all (slots), and each of its work-items a quarter
/// of its dimensions and the ranking of a quarter of the groups. One by one: work-item i stands for
/// the warp's descriptor i, which is that of slot i / 8 and quad i % 8; local memory (`scratch`,
/// STRIDE floats a descriptor) takes values from the first arrangement to the second.
typedef struct {
    uint x[ROW_TILES][STEPS][4];
    Ranking ranking[SLOTS];
    float error; // twice the bound on a score's
} Rows;

#define STRIDE 12 // floats; quads then write to different banks, and work-items read whole float4s

void load_rows(private Rows *rows, const uint warp, global const float4 *descriptors,
               const MatrixPass pass, local float *scratch)
{
    const uint lane = get_local_id(0) % WARP;
#pragma unroll
    for (uint slot = 0; slot < SLOTS; slot++) {
        const uint row = 8 * slot + lane / 4;
        const float2 squares = load_descriptor(rows->x[slot / 2], slot % 2, descriptors,
                                               min(warp * ROWS + row, pass.n - 1), pass.scale);
        scratch[row * STRIDE + lane % 4] = squares.x;
        scratch[row * STRIDE + 4 + lane % 4] = squares.y;
        rows->ranking[slot].first = MATRIX_NOTHING;
        rows->ranking[slot].second = MATRIX_NOTHING;
        rows->ranking[slot].third = MATRIX_NOTHING;
    }
    warp_barrier();
    local const float4 *mine = (local const float4 *)(scratch + lane * STRIDE);
    rows->error = 2.001f * pass.bound_scale *
                  score_bound(norm_of(dot(mine[0], (float4)(1))), norm_of(dot(mine[1], (float4)(1))),
                              pass.centroid_norm, pass.centroid_residual, pass.half_square,
                              pass.rounding);
    warp_barrier();
}

void rank_group(private Ranking *ranking, const float best, const uint block)
{
    const float value = as_float((as_uint(best) & ~((1u << RANK_BITS) - 1)) | block);
    const float loser = fmin(ranking->first, value);
    ranking->first = fmax(ranking->first, value);
    const float last = fmin(ranking->second, loser);
    ranking->second = fmax(ranking->second, loser);
    ranking->third = fmax(ranking->third, last);
}

/// Ranks the four groups of a block, of which `fragments` and `starts` are the work-item's parts.
void rank_block(private Rows *rows, const uint block, local const uint4 *fragments,
                local const float2 *starts)
{
    float scores[ROW_TILES][MATRIX_TILES][4];
#pragma unroll
    for (uint pair = 0; pair < PAIRS; pair++)
#pragma unroll
        for (uint tile = 0; tile < MATRIX_TILES; tile++) {
            const uint4 values = fragments[(tile * PAIRS + pair) * WARP];
#pragma unroll
            for (uint m = 0; m < ROW_TILES; m++) {
                private float *const sums = scores[m][tile];
                const private uint(*const x)[4] = rows->x[m];
                if (pair == 0) multiply(sums, x[0], values.x, values.y, starts[tile]);
                else multiply_add(sums, x[2 * pair], values.x, values.y);
                multiply_add(sums, x[2 * pair + 1], values.z, values.w);
            }
        }
#pragma unroll
    for (uint slot = 0; slot < SLOTS; slot++) {
        float best = MATRIX_NOTHING;
#pragma unroll
        for (uint tile = 0; tile < MATRIX_TILES; tile++) {
            const private float *const two = scores[slot / 2][tile] + 2 * (slot % 2);
            best = tile == 0 ? fmax(two[0], two[1]) : fmax(best, fmax(two[0], two[1]));
        }
        rank_group(&rows->ranking[slot], best, block);
    }
}

/// The best groups of one descriptor among all: value and number of two, the third's value.
typedef struct {
    float first, second, third;
    uint first_group, second_group;
} Best;

Best enter(Best best, const float value, const uint place)
{
    const uint group = (as_uint(value) & ((1u << RANK_BITS) - 1)) * 4 + place;
    const bool wins = value > best.first;
    const bool follows = value > best.second;
    best.third = fmax(best.third, fmin(best.second, value));
    best.second_group = wins ? best.first_group : follows ? group : best.second_group;
    best.second = fmax(best.second, fmin(best.first, value));
    best.first_group = wins ? group : best.first_group;
    best.first = fmax(best.first, value);
    return best;
}

/// The best groups of the work-item's own descriptor, of all that its quad ranked.
Best best_groups(const private Rows *rows, local float *scratch)
{
    const uint lane = get_local_id(0) % WARP;
#pragma unroll
    for (uint slot = 0; slot < SLOTS; slot++) {
        local float *to = scratch + (8 * slot + lane / 4) * STRIDE + lane % 4;
        to[0] = rows->ranking[slot].first;
        to[4] = rows->ranking[slot].second;
        to[8] = rows->ranking[slot].third;
    }
    warp_barrier();
    local const float4 *mine = (local const float4 *)(scratch + lane * STRIDE);
    const float4 first = mine[0];
    const float4 second = mine[1];
    const float4 third = mine[2];
    warp_barrier();
    Best best = {MATRIX_NOTHING, MATRIX_NOTHING, fmax(fmax(third.x, third.y), fmax(third.z, third.w)), 0, 0};
    best = enter(best, first.x, 0);
    best = enter(best, first.y, 1);
    best = enter(best, first.z, 2);
    best = enter(best, first.w, 3);
    best = enter(best, second.x, 0);
    best = enter(best, second.y, 1);
    best = enter(best, second.z, 2);
    return enter(best, second.w, 3);
}

/// Which of the eight centroids of `group` reach the work-item's threshold, a bit each; without a
/// threshold yet, that is set to what the best of them leaves. Done for descriptors with a bit in
/// `wanted`, two by two: the product's 16 rows are two groups, its columns a slot's descriptors.
uint contenders_of(const private Rows *rows, const uint group, const uint wanted,
                   private float *threshold, global const uint4 *fragments,
                   global const float2 *starts, local float *scratch)
{
    const uint lane = get_local_id(0) % WARP;
    const uint centroid = lane / 4; // of each group
    const uint place = lane % 4;
    // The place of a group's centroid is a part by the group and a part by the centroid.
    const uint fragment = group / 4 * BLOCK_QUADS + group % 4 * 8;
    global const uint4 *const fragments_here =
        fragments + centroid / 2 * (PAIRS * WARP) + centroid % 2 * 4 + place;
    global const float *const starts_here = (global const float *)starts + centroid;
#pragma unroll
    for (uint slot = 0; slot < SLOTS; slot++)
#pragma unroll
        for (uint pair = 0; pair < 4; pair++) {
            const uint row = 8 * slot + 2 * pair;
            if ((wanted >> row & 3) == 0) continue;
            global const uint4 *const even = fragments_here + shuffle(fragment, row);
            global const uint4 *const odd = fragments_here + shuffle(fragment, row + 1);
            const float even_start = starts_here[shuffle(group, row) * 8];
            const float odd_start = starts_here[shuffle(group, row + 1) * 8];
            float scores[4] = {even_start, even_start, odd_start, odd_start};
#pragma unroll
            for (uint two = 0; two < PAIRS; two++) {
                const uint4 a = even[two * WARP];
                const uint4 b = odd[two * WARP];
                const uint centroids[2][4] = {{a.x, b.x, a.y, b.y}, {a.z, b.z, a.w, b.w}};
#pragma unroll
                for (uint step = 0; step < 2; step++)
                    multiply_add(scores, centroids[step],
                                 rows->x[slot / 2][2 * two + step][slot % 2],
                                 rows->x[slot / 2][2 * two + step][slot % 2 + 2]);
            }
            if (place == pair) {
                scratch[row * STRIDE + centroid] = scores[0];
                scratch[(row + 1) * STRIDE + centroid] = scores[3];
            }
        }
    warp_barrier();
    local const float4 *mine = (local const float4 *)(scratch + lane * STRIDE);
    const float4 low = mine[0];
    const float4 high = mine[1];
    warp_barrier();
    const float4 two_by_two = fmax(low, high);
    const float best = fmax(fmax(two_by_two.x, two_by_two.y), fmax(two_by_two.z, two_by_two.w));
    if (*threshold == MATRIX_NOTHING) *threshold = best - rows->error;
    const float least = *threshold;
    return (low.x >= least ? 1 : 0) | (low.y >= least ? 2 : 0) | (low.z >= least ? 4 : 0) |
           (low.w >= least ? 8 : 0) | (high.x >= least ? 16 : 0) | (high.y >= least ? 32 : 0) |
           (high.z >= least ? 64 : 0) | (high.w >= least ? 128 : 0);
}

/// Writes the words that are proven and lists the other rows.
void settle(const private Rows *rows, const uint warp, global const uint4 *fragments,
            global const float2 *starts, const MatrixPass pass, global int *words,
            global uint4 *contested, global uint2 *crowded, global uint *unproven,
            local float *scratch)
{
    Best best = best_groups(rows, scratch);
    const uint last_group = 4 * pass.blocks - 1; // where scores are no numbers, groups are none
    best.first_group = min(best.first_group, last_group);
    best.second_group = min(best.second_group, last_group);
    float threshold = MATRIX_NOTHING;
    uint contenders = contenders_of(rows, best.first_group, 0xffffffff, &threshold, fragments,
                                    starts, scratch);
    // Ranking by the high bits of a score may have moved it by this part of itself.
    const float blur = (float)(2u << RANK_BITS) * 0x1p-23f;
    const bool bounded = rows->error < 1e30f; // not so: infinite, or not a number
    const bool all_in_two = bounded && best.third + fabs(best.third) * blur < threshold;
    const bool all_in_one = bounded && best.second + fabs(best.second) * blur < threshold;
    const bool from_second = all_in_two && !all_in_one;
    const uint wanted = ballot(from_second);
    if (wanted != 0) {
        const uint others = contenders_of(rows, best.second_group, wanted, &threshold, fragments,
                                          starts, scratch);
        if (from_second) contenders |= others << 8;
    }

    const uint row = warp * ROWS + get_local_id(0) % WARP;
    const bool there = row < pass.n;
    const bool proven = all_in_two && popcount(contenders) == 1;
    const uint winner = 31 - clz(contenders | 1);
    const uint group = winner < 8 ? best.first_group : best.second_group;
    if (there) words[row] = proven ? (int)(8 * group + winner % 8) : -1;
    const bool contest = there && all_in_two && !proven;
    const bool crowd = there && bounded && !all_in_two;
    const uint contest_place = append((global uint *)contested, contest);
    const uint crowd_place = append((global uint *)crowded, crowd);
    if (contest)
        contested[1 + contest_place] =
            (uint4)(row, best.first_group, best.second_group, contenders);
    if (crowd) crowded[1 + crowd_place] = (uint2)(row, as_uint(threshold));
    if (there && !bounded) unproven[1 + atomic_inc(unproven)] = row;
}

/// Starts to copy a chunk into local memory: its fragments, then what its scores start with.
void fetch(global const uint4 *fragments, global const float2 *starts, const uint chunk,
           local uint4 *to_fragments, local float2 *to_starts)
{
    const uint item = get_local_id(0);
    global const uint4 *from = fragments + (size_t)chunk * MATRIX_CHUNK * BLOCK_QUADS;
    for (uint i = item; i < MATRIX_CHUNK * BLOCK_QUADS; i += MATRIX_GROUP)
        copy_quad(to_fragments + i, from + i);
    if (item < MATRIX_CHUNK * MATRIX_BLOCK / 4)
        copy_quad((local uint4 *)to_starts + item,
                  (global const uint4 *)starts + chunk * (MATRIX_CHUNK * MATRIX_BLOCK / 4) + item);
    end_of_copies();
}

kernel __attribute__((reqd_work_group_size(MATRIX_GROUP, 1, 1)))
void assign(global const float4 *descriptors, global const uint *count,
            global const uint4 *fragments, global const float2 *starts, MatrixPass pass,
            global int *words, global uint4 *contested, global uint2 *crowded,
            global uint *unproven)
{
    pass.n = *count;
    if (get_group_id(0) * MATRIX_GROUP >= pass.n) return;
    local uint4 chunk_fragments[2][MATRIX_CHUNK * BLOCK_QUADS];
    local float2 chunk_starts[2][MATRIX_CHUNK * MATRIX_BLOCK / 2] __attribute__((aligned(16)));
    fetch(fragments, starts, 0, chunk_fragments[0], chunk_starts[0]);
    const uint lane = get_local_id(0) % WARP;
    const uint warp = get_global_id(0) / WARP;
    local float group_scratch[MATRIX_GROUP / WARP][ROWS * STRIDE];
    local float *const scratch = group_scratch[get_local_id(0) / WARP];
    Rows rows;
    load_rows(&rows, warp, descriptors, pass, scratch);
    scratch[lane] = rows.error; // the register is needed for the chunk that was seen last
    uint last = 0;
    for (uint chunk = 0; chunk < pass.blocks / MATRIX_CHUNK; chunk++) {
        const uint at = chunk % 2;
        await_copies(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (chunk + 1 < pass.blocks / MATRIX_CHUNK)
            fetch(fragments, starts, chunk + 1, chunk_fragments[1 - at], chunk_starts[1 - at]);
#pragma unroll
        for (uint part = 0; part < MATRIX_CHUNK; part++)
            rank_block(&rows, chunk * MATRIX_CHUNK + part, chunk_fragments[at] + part * BLOCK_QUADS + lane,
                       chunk_starts[at] + part * (MATRIX_BLOCK / 2) + MATRIX_TILES * (lane % 4));
        last = LAST_SEEN(chunk_starts[at][MATRIX_TILES * (lane % 4)].x, chunk, last);
    }
    const bool all_seen = last + 1 == pass.blocks / MATRIX_CHUNK; // else nothing is proven
    rows.error = all_seen ? scratch[lane] : INFINITY;
    warp_barrier();
    settle(&rows, warp, fragments, starts, pass, words, contested, crowded, unproven,
           scratch);
}
