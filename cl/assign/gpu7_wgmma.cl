// gpu7_wgmma: gpu7 on Hopper, where the matrix units themselves read centroids from local memory.
//
// The score of centroid c is M + x.c - |c|^2/2, all by the product: a last step adds M - |c|^2/2
// in four parts of fp16. M is so large that all scores share an exponent: as unsigned integers they
// compare faster (three at once), and a score's bits without the exponent leave room for the number
// of its group. Centroids are grouped twice, crosswise: by eight neighbors, ranked by their best;
// and by their place among the eight, of which only the best is kept. A contender is in one of the
// best groups and at a place that reaches the threshold: no score is computed twice.
//
// The number of the tile that was seen last is kept (last_seen.cl), by a comparison that every score
// passes, since the lowest is above zero.
//
// The lists, and the bound on a score's error, are gpu7.cl's. DIMENSIONS: a multiple of 4 up to
// WGMMA_DIMENSIONS. RESIDENT: 1 where all tiles find room in local memory at once; a group then
// searches one block of rows after another. ONE_SPAN: 1 where all tiles are one span.

#include "scored_rows.cl"
#include "scored_tiles.cl"
#include "crossed_ranking.cl"

#define ROWS WGMMA_ROWS(DIMENSIONS)
#define STAGES WGMMA_STAGES(DIMENSIONS)

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/// Starts to bring the rows from `first` on into the second cache.
void prefetch_rows(global const float4 *descriptors, const uint first, const uint n)
{
    if (get_local_id(0) != 0 || first >= n) return;
    prefetch_bytes(descriptors + (size_t)first * (DIMENSIONS / 4),
                   min((uint)ROWS, n - first) * (uint)(DIMENSIONS * sizeof(float)));
}

/// Starts to copy a tile, or nothing behind the last one.
void fetch(global const uint4 *tiles, global const uint4 *lasts, const uint tile, const uint count,
           local uint4 *to, local uint4 *to_last)
{
    const uint item = get_local_id(0);
    if (tile < count) {
        global const uint4 *from = tiles + (size_t)tile * TILE_QUADS;
#pragma unroll
        for (uint i = 0; i < TILE_QUADS; i += WGMMA_GROUP)
            copy_quad(to + i + item, from + i + item);
        if (item < LAST_QUADS) copy_quad(to_last + item, lasts + tile * LAST_QUADS + item);
    }
    end_of_copies();
}

/// Writes the word of the own descriptor if it is proven, else lists it.
void settle(const Best best, const private Ranking (*ranking)[2], const float error, const uint row,
            const WgmmaPass pass, global int *words, global uint4 *contested, global uint2 *crowded,
            global uint *unproven)
{
    const uint own = get_local_id(0) % 4;
    const uint reach = (uint)fmin(error / pass.unit, 8e6f) + 1; // in units of a score's last place
    // Not so: infinite, not a number, or so wide that centroids that are not there might contend.
    const bool bounded = error < 1e30f && SCORE_OF(best.first) > reach;
    const uint least = bounded ? SCORE_OF(best.first) - reach : 0;
    const uint threshold = as_uint(pass.lowest) + least;
    const uint reached = reached_places(ranking, threshold);
    // A place may owe its best to another group: one contender too many, no harm if it is there.
    uint contenders = of_quad(reached, ranked_by(best.first_group)) >> 8 * own &
                      centroids_of(best.first_group, pass.k);
    const uint others = of_quad(reached, ranked_by(best.second_group)) >> 8 * own &
                        centroids_of(best.second_group, pass.k);
    if (SCORE_OF(best.second) >= least) contenders |= others << 8;
    const bool in_two = bounded && SCORE_OF(best.third) < least;
    const bool proven = in_two && popcount(contenders) == 1;
    const uint winner = 31 - clz(contenders | 1);
    const uint group = winner < 8 ? best.first_group : best.second_group;
    const bool there = own < 2 * PARTS && row < pass.n;
    if (there) words[row] = proven ? (int)(8 * group + winner % 8) : -1;

    const bool contest = there && in_two && !proven;
    const bool crowd = there && bounded && !in_two;
    if (ballot(contest || crowd) != 0) {
        const uint contest_place = append((global uint *)contested, contest);
        const uint crowd_place = append((global uint *)crowded, crowd);
        if (contest)
            contested[1 + contest_place] =
                (uint4)(row, best.first_group, best.second_group, contenders);
        // crowd.cl's scores come without M, which is half as much again as the lowest.
        if (crowd)
            crowded[1 + crowd_place] =
                (uint2)(row, as_uint(as_float(threshold) - 1.5f * pass.lowest));
    }
    if (there && !bounded) unproven[1 + atomic_inc(unproven)] = row;
}

kernel __attribute__((reqd_work_group_size(WGMMA_GROUP, 1, 1)))
void assign(global const float4 *descriptors, global const uint *count,
            global const uint4 *tiles, global const uint4 *lasts, WgmmaPass pass,
            global int *words, global uint4 *contested, global uint2 *crowded,
            global uint *unproven)
{
    asm volatile("//^ .minnctapersm " TEXT(WGMMA_GROUPS_A_UNIT) "\n");
    pass.n = *count;
    uint first = get_group_id(0) * ROWS;
    if (first >= pass.n) return;
    local uint4 tile_stage[STAGES][TILE_QUADS] __attribute__((aligned(1024)));
    local uint4 last_stage[STAGES][LAST_QUADS] __attribute__((aligned(1024)));
#pragma unroll
    for (uint tile = 0; tile < STAGES - 1 + RESIDENT; tile++)
        fetch(tiles, lasts, tile, pass.tiles, tile_stage[tile], last_stage[tile]);
    // Registers are needed for what the tiles change.
    local float own_errors[WGMMA_GROUP];
    local Best own_bests[WGMMA_GROUP];
    const uint place = get_local_id(0) % 4;
    const uint warp = get_local_id(0) / WARP;
    const ulong tile_base = tile_address(tile_stage[0]);
    const ulong last_base = last_address(last_stage[0]);
    do {
        // The first row of the work-item's quad; its others are 8 and 64 rows further.
        const uint first_row =
            first + warp / 4 * (64 * PARTS) + warp % 4 * 16 + get_local_id(0) % WARP / 4;
        uint x[PARTS][STEPS][4];
        float squares[2 * PARTS];
        float lost_squares[2 * PARTS];
        Ranking ranking[PARTS][2];
#pragma unroll
        for (uint part = 0; part < PARTS; part++)
#pragma unroll
            for (uint slot = 0; slot < 2; slot++) {
                const uint row = min(first_row + 64 * part + 8 * slot, pass.n - 1);
                const float2 both =
                    load_row(x[part], slot, descriptors + (size_t)row * (DIMENSIONS / 4),
                             pass.scale);
                squares[2 * part + slot] = both.x;
                lost_squares[2 * part + slot] = both.y;
                clear_ranking(&ranking[part][slot]);
            }
        own_errors[get_local_id(0)] = own_error(squares, lost_squares, pass);
        if (RESIDENT && first == get_group_id(0) * ROWS) { // the tiles came, too
            await_copies(0);
            show_copies();
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (RESIDENT) prefetch_rows(descriptors, first + get_num_groups(0) * ROWS, pass.n);

        Best best = {0, 0, 0, 0, 0};
        if (!ONE_SPAN) own_bests[get_local_id(0)] = best;
        float sums[32];
        uint last_seen = 0;
        for (uint span = 0; span < pass.tiles; span += WGMMA_SPAN) {
            const uint behind = min(span + WGMMA_SPAN, pass.tiles);
            for (uint tile = span; tile < behind; tile++) {
                if (!RESIDENT) {
                    await_copies(STAGES - 2);
                    show_copies();
                    barrier(CLK_LOCAL_MEM_FENCE);
                    const uint next = tile + STAGES - 1;
                    fetch(tiles, lasts, next, pass.tiles, tile_stage[next % STAGES],
                          last_stage[next % STAGES]);
                }
                const ulong centroids = tile_base + tile % STAGES * TILE_QUADS;
                const ulong last = last_base + tile % STAGES * LAST_QUADS;
#pragma unroll
                for (uint part = 0; part < PARTS; part++) {
                    score_tile(sums, x[part], centroids, last);
#pragma unroll
                    for (uint slot = 0; slot < 2; slot++)
                        rank_tile(&ranking[part][slot], sums, slot, (tile - span) * 8 + place);
                }
                last_seen = sums[31] != 0 ? tile : last_seen;
            }
            best = after_span(ONE_SPAN ? best : own_bests[get_local_id(0)], ranking, span);
            if (ONE_SPAN) break;
            own_bests[get_local_id(0)] = best;
#pragma unroll
            for (uint part = 0; part < PARTS; part++)
#pragma unroll
                for (uint slot = 0; slot < 2; slot++) clear_groups(&ranking[part][slot]);
        }
        const bool all_seen = last_seen + 1 == pass.tiles; // else nothing is proven
        const float error = all_seen ? own_errors[get_local_id(0)] : INFINITY;
        settle(best, ranking, error, first_row + 64 * (place / 2) + 8 * (place % 2), pass, words, contested, crowded,
               unproven);
        first += get_num_groups(0) * ROWS;
    } while (RESIDENT && first < pass.n);
}
