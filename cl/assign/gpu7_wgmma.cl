// gpu7_wgmma: gpu7 on Hopper, where the matrix units themselves read centroids from local memory.
//
// The score of centroid c is M + x.c - |c|^2/2, all by the product: a fifth step adds M - |c|^2/2
// in four parts of fp16. M is so large that all scores share an exponent: as unsigned integers they
// compare faster (three at once), and a score's bits without the exponent leave room for the number
// of its group. Centroids are grouped twice, crosswise: by eight neighbors, ranked by their best;
// and by their place among the eight, of which only the best is kept. A contender is in one of the
// best groups and at a place that reaches the threshold: no score is computed twice.
//
// The number of the tile that was seen last is kept (last_seen.cl), by a comparison that every score
// passes, since the lowest is above zero.
//
// What is listed, and the bound on a score's error, are gpu7.cl's. DIMENSIONS: a multiple of 4 up
// to 64. TAG_BITS: at least 9, enough for the number of every group. RESIDENT: 1 where all tiles
// find room in local memory at once; a group then searches one block of rows after another.

#include "crossed_ranking.cl"
#include "scored_rows.cl"
#include "scored_tiles.cl"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/// Starts to bring the rows from `first` on into the second cache.
void prefetch_rows(global const float4 *descriptors, const uint first, const uint n)
{
    if (get_local_id(0) != 0 || first >= n) return;
    prefetch_bytes(descriptors + (size_t)first * (DIMENSIONS / 4),
                   min((uint)WGMMA_ROWS, n - first) * (uint)(DIMENSIONS * sizeof(float)));
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
void settle(const private Ranking (*ranking)[2], const float error, const uint row,
            const WgmmaPass pass, global int *words, global uint4 *contested, global uint2 *crowded,
            global uint *unproven)
{
    const uint own = get_local_id(0) % 4;
    Ranking even, odd, best;
    keep_ranking(&even, &ranking[0][0], &ranking[0][1], own % 2, 1);
    keep_ranking(&odd, &ranking[1][0], &ranking[1][1], own % 2, 1);
    keep_ranking(&best, &even, &odd, own / 2, 2);
    // In units of a score's last place. A tag of more than nine bits has moved a key by this much.
    const uint blur = TAG_BITS > 9 ? 1u << (TAG_BITS - 9) : 0;
    const uint reach = (uint)fmin(error / pass.unit, 8e6f) + 1 + blur;
    // Not so: infinite, not a number, or so wide that centroids that are not there might contend.
    const bool bounded = error < 1e30f && best.first >> 9 > reach;
    const uint least = bounded ? (best.first >> 9) - reach : 0;
    const uint threshold = as_uint(pass.lowest) + least;
    const uint reached = reached_places(ranking, threshold);
    const uint first_tag = best.first & ((1u << TAG_BITS) - 1);
    const uint second_tag = best.second & ((1u << TAG_BITS) - 1);
    const uint first_group = group_of(first_tag);
    const uint second_group = group_of(second_tag);
    // A place may owe its best to another group: one contender too many, no harm if it is there.
    uint contenders =
        of_quad(reached, first_tag % 4) >> 8 * own & centroids_of(first_group, pass.k);
    const uint others =
        of_quad(reached, second_tag % 4) >> 8 * own & centroids_of(second_group, pass.k);
    if ((best.second >> 9) + blur >= least) contenders |= others << 8;
    const bool in_two = bounded && (best.third >> 9) + blur < least;
    const bool proven = in_two && popcount(contenders) == 1;
    const uint winner = 31 - clz(contenders | 1);
    const uint group = winner < 8 ? first_group : second_group;
    const bool there = row < pass.n;
    if (there) words[row] = proven ? (int)(8 * group + winner % 8) : -1;

    const bool contest = there && in_two && !proven;
    const bool crowd = there && bounded && !in_two;
    if (ballot(contest || crowd) != 0) {
        const uint contest_place = append((global uint *)contested, contest);
        const uint crowd_place = append((global uint *)crowded, crowd);
        if (contest)
            contested[1 + contest_place] = (uint4)(row, first_group, second_group, contenders);
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
    uint first = get_group_id(0) * WGMMA_ROWS;
    if (first >= pass.n) return;
    local uint4 tile_stage[WGMMA_STAGES][TILE_QUADS] __attribute__((aligned(1024)));
    local uint4 last_stage[WGMMA_STAGES][LAST_QUADS] __attribute__((aligned(1024)));
#pragma unroll
    for (uint tile = 0; tile < WGMMA_STAGES - 1 + RESIDENT; tile++)
        fetch(tiles, lasts, tile, pass.tiles, tile_stage[tile], last_stage[tile]);
    local float own_errors[WGMMA_GROUP]; // the register is needed for the tile that was seen last
    const uint place = get_local_id(0) % 4;
    const uint warp = get_local_id(0) / WARP;
    const ulong tile_base = tile_address(tile_stage[0]);
    const ulong last_base = last_address(last_stage[0]);
    do {
        // Of the work-item's quad; its others are 8 and 64 rows further.
        const uint first_row =
            first + warp / 4 * (64 * WGMMA_PARTS) + warp % 4 * 16 + get_local_id(0) % WARP / 4;
        uint x[WGMMA_PARTS][WGMMA_STEPS][4];
        float squares[2 * WGMMA_PARTS];
        float lost_squares[2 * WGMMA_PARTS];
        Ranking ranking[WGMMA_PARTS][2];
#pragma unroll
        for (uint part = 0; part < WGMMA_PARTS; part++)
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
        if (RESIDENT && first == get_group_id(0) * WGMMA_ROWS) { // the tiles came, too
            await_copies(0);
            show_copies();
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (RESIDENT) prefetch_rows(descriptors, first + get_num_groups(0) * WGMMA_ROWS, pass.n);

        float sums[32];
        uint last_seen = 0;
        for (uint tile = 0; tile < pass.tiles; tile++) {
            if (!RESIDENT) {
                await_copies(WGMMA_STAGES - 2);
                show_copies();
                barrier(CLK_LOCAL_MEM_FENCE);
                const uint next = tile + WGMMA_STAGES - 1;
                fetch(tiles, lasts, next, pass.tiles, tile_stage[next % WGMMA_STAGES],
                      last_stage[next % WGMMA_STAGES]);
            }
            const ulong centroids = tile_base + tile % WGMMA_STAGES * TILE_QUADS;
            const ulong last = last_base + tile % WGMMA_STAGES * LAST_QUADS;
#pragma unroll
            for (uint part = 0; part < WGMMA_PARTS; part++) {
                score_tile(sums, x[part], centroids, last);
#pragma unroll
                for (uint slot = 0; slot < 2; slot++)
                    rank_tile(&ranking[part][slot], sums, slot, tile * 8 + place);
            }
            last_seen = sums[31] != 0 ? tile : last_seen;
        }
        const bool all_seen = last_seen + 1 == pass.tiles; // else nothing is proven
        const float error = all_seen ? own_errors[get_local_id(0)] : INFINITY;
        settle(ranking, error, first_row + 64 * (place / 2) + 8 * (place % 2), pass, words,
               contested, crowded, unproven);
        first += get_num_groups(0) * WGMMA_ROWS;
    } while (RESIDENT && first < pass.n);
}
