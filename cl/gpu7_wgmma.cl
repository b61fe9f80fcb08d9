// gpu7_wgmma: gpu7 on Hopper, where the matrix units read the centroids from local memory
// themselves.
//
// The score of centroid c is M + x.c - |c|^2/2, all by the product: a fifth step adds M - |c|^2/2
// in four parts of fp16. M is so large that all scores share an exponent: as unsigned integers they
// compare faster (three at once), and a score's bits without the exponent leave room for the number
// of its group. Centroids are grouped twice, crosswise: by eight neighbours, ranked by their best;
// and by their place among the eight, of which only the best is kept. A contender is in one of the
// best groups and at a place that reaches the threshold: no score is computed twice.
//
// What is listed, and the bound on a score's error, are gpu7.cl's. DIMENSIONS: a multiple of 4 up
// to 64. TAG_BITS: at least 9, enough for the number of every group.

#include "crossed_ranking.cl"
#include "wgmma.cl"

#define STEPS 4        // of 16 dimensions
#define TILE 64        // centroids
#define TILE_QUADS 512 // uint4s of a tile: a row of 128 bytes a centroid
#define LAST_QUADS 128 // of its fifth step: 32 bytes a centroid
#define STAGES 4       // tiles that local memory holds, all but one of them on their way
#define WARPGROUPS 2
#define GROUP (128 * WARPGROUPS)
#define PARTS 2 // of 64 descriptors, a warpgroup

/// One launch. Laid out as Pass in wgmma_kernel.hpp; scores and norms are scaled.
typedef struct {
    uint n;
    uint k;
    uint tiles;
    float scale;             // a power of two that brings the centroids into fp16's range
    float longest;           // norms of descriptors for which all scores share an exponent
    float centroid_norm;     // the largest |c^|, of the rounded centroids
    float centroid_residual; // the largest |c - c^|
    float half_square;       // the largest |c|^2/2
    float rounding;          // of sums in the matrix unit, relative to |x||c| + |c|^2/2
    float unit;              // in the last place of a score
    float lowest;            // a power of two below every score
    float bound_scale;       // 1; tests plant less
} Pass;

/// Loads the work-item's quarter of a descriptor and returns |x|^2 and |x - x^|^2 of it, x^ being
/// the rounded descriptor.
float2 load_row(uint x[STEPS][4], const uint slot, global const float4 *row, const Pass pass)
{
    float4 value[STEPS];
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
        const uint at = 4 * step + get_local_id(0) % 4;
        value[step] = at < DIMENSIONS / 4 ? row[at] : (float4)(0);
    }
    float2 squares = 0;
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
        const float4 scaled = value[step] * pass.scale;
        x[step][slot] = halves(scaled.x, scaled.y);
        x[step][slot + 2] = halves(scaled.z, scaled.w);
        const float4 lost = scaled - (float4)(floats(x[step][slot]), floats(x[step][slot + 2]));
        squares += (float2)(dot(scaled, scaled), dot(lost, lost));
    }
    return squares;
}

// A quad shares four descriptors: each of its work-items answers for one of them, its own.

/// The quad's sum for the own descriptor, of what its work-items hold for each.
float own_sum(const private float *value)
{
    const bool odd = get_local_id(0) % 2;
    const bool upper = get_local_id(0) / 2 % 2;
    float low = odd ? value[1] : value[0];
    float high = odd ? value[3] : value[2];
    low += as_float(exchange(as_uint(odd ? value[0] : value[1]), 1));
    high += as_float(exchange(as_uint(odd ? value[2] : value[3]), 1));
    return (upper ? high : low) + as_float(exchange(as_uint(upper ? low : high), 2));
}

/// Twice the bound on a score's error, of the own descriptor.
float own_error(const private float *squares, const private float *lost_squares, const Pass pass)
{
    // The factors and floors pay for the roundings of these sums and for squares that underflow.
    const float norm = sqrt(own_sum(squares) * 1.0001f + 1e-35f);
    const float residual = sqrt(own_sum(lost_squares) * 1.0001f + 1e-35f);
    // The fifth step cuts off six terms at the last place of the score at most.
    const float error = residual * pass.centroid_norm + norm * pass.centroid_residual +
                        pass.rounding * (norm * pass.centroid_norm + pass.half_square) +
                        0x1p-44f * norm * norm + 8 * pass.unit;
    return norm <= pass.longest ? 2.001f * pass.bound_scale * error : INFINITY;
}

/// Starts to copy a tile, or nothing behind the last one.
void fetch(global const uint4 *tiles, global const uint4 *lasts, const uint tile, const uint count,
           local uint4 *to, local uint4 *to_last)
{
    const uint item = get_local_id(0);
    if (tile < count) {
        global const uint4 *from = tiles + (size_t)tile * TILE_QUADS;
#pragma unroll
        for (uint i = 0; i < TILE_QUADS; i += GROUP) copy_quad(to + i + item, from + i + item);
        if (item < LAST_QUADS) copy_quad(to_last + item, lasts + tile * LAST_QUADS + item);
    }
    end_of_copies();
}

/// Writes the word of the own descriptor if it is proven, else lists it.
void settle(const private Ranking (*ranking)[2], const float error, const uint row, const Pass pass,
            global int *words, global uint4 *contested, global uint2 *crowded,
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
    // A place may owe its best to another group: such a contender is one too many, no harm, unless
    // it is not there.
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

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign(global const float4 *descriptors, global const uint4 *tiles,
            global const uint4 *lasts, const Pass pass, global int *words,
            global uint4 *contested, global uint2 *crowded, global uint *unproven)
{
    asm volatile("//^ .minnctapersm 2\n");
    local uint4 tile_stage[STAGES][TILE_QUADS] __attribute__((aligned(1024)));
    local uint4 last_stage[STAGES][LAST_QUADS] __attribute__((aligned(1024)));
#pragma unroll
    for (uint tile = 0; tile < STAGES - 1; tile++)
        fetch(tiles, lasts, tile, pass.tiles, tile_stage[tile], last_stage[tile]);

    const uint place = get_local_id(0) % 4;
    const uint warp = get_local_id(0) / WARP;
    // Of the work-item's quad; its others are 8 and 64 rows further.
    const uint first_row = get_group_id(0) * (64 * PARTS * WARPGROUPS) + warp / 4 * (64 * PARTS) +
                           warp % 4 * 16 + get_local_id(0) % WARP / 4;
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
                load_row(x[part], slot, descriptors + (size_t)row * (DIMENSIONS / 4), pass);
            squares[2 * part + slot] = both.x;
            lost_squares[2 * part + slot] = both.y;
            ranking[part][slot].first = 0;
            ranking[part][slot].second = 0;
            ranking[part][slot].third = 0;
#pragma unroll
            for (uint i = 0; i < 8; i++) ranking[part][slot].place[i] = 0;
        }

    const float error = own_error(squares, lost_squares, pass);

    // Against the last step's M / 256, and -|c|^2/2 in three parts: 256, 1, 1, 1.
    const uint weight = place == 0 ? 0x3c005c00 : place == 1 ? 0x3c003c00 : 0;
    const uint weights[4] = {weight, weight, 0, 0};
    // Matrices in local memory: swizzled by 128 (32) bytes, 1024 (256) bytes from eight rows to the
    // next, addresses in units of 16 bytes.
    const ulong tile_base = (1UL << 62) | (64UL << 32) | (1UL << 16) |
                            ((uint)(size_t)(local uint4 *)tile_stage & 0x3ffff) >> 4;
    const ulong last_base = (3UL << 62) | (16UL << 32) | (1UL << 16) |
                            ((uint)(size_t)(local uint4 *)last_stage & 0x3ffff) >> 4;
    float sums[32];
    for (uint tile = 0; tile < pass.tiles; tile++) {
        await_copies(STAGES - 2);
        show_copies();
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint next = tile + STAGES - 1;
        fetch(tiles, lasts, next, pass.tiles, tile_stage[next % STAGES], last_stage[next % STAGES]);
        const ulong centroids = tile_base + tile % STAGES * TILE_QUADS;
        const ulong last = last_base + tile % STAGES * LAST_QUADS;
#pragma unroll
        for (uint part = 0; part < PARTS; part++) {
            open_products(sums);
            start_products(sums, x[part][0], centroids);
            add_products(sums, x[part][1], centroids + 2); // 32 bytes further: 16 dimensions
            add_products(sums, x[part][2], centroids + 4);
            add_products(sums, x[part][3], centroids + 6);
            add_products(sums, weights, last);
            close_products();
            await_products(sums);
#pragma unroll
            for (uint slot = 0; slot < 2; slot++)
                rank_tile(&ranking[part][slot], sums, slot, tile * 8 + place);
        }
    }
    settle(ranking, error, first_row + 64 * (place / 2) + 8 * (place % 2), pass, words, contested,
           crowded, unproven);
}
