// scored_rows: descriptors as operands of the matrix unit, and how far their scores may be off.
//
// A quad, four neighboring work-items, shares a descriptor: each rounds a quarter of its dimensions
// to fp16. The bound on the error of its scores comes from what the rounding really lost.
// DIMENSIONS: a multiple of 4 up to WGMMA_DIMENSIONS.

#include "score_bound.cl"
#include "warp.cl"

#define STEPS WGMMA_STEPS(DIMENSIONS)
#define PARTS WGMMA_PARTS(DIMENSIONS)

/// Loads the work-item's quarter of a descriptor. Returns |x|^2 and |x - x^|^2 of it, x^ rounded.
float2 load_row(uint x[STEPS][4], const uint slot, global const float4 *row,
                const float scale)
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
        const float4 scaled = value[step] * scale;
        x[step][slot] = halves(scaled.x, scaled.y);
        x[step][slot + 2] = halves(scaled.z, scaled.w);
        const float4 lost = scaled - (float4)(floats(x[step][slot]), floats(x[step][slot + 2]));
        squares += (float2)(dot(scaled, scaled), dot(lost, lost));
    }
    return squares;
}

// A quad shares two descriptors of each part: each of its work-items answers for one of them, its
// own. With one part, two work-items answer for the same one.

/// The quad's sum for the own descriptor, of what its work-items hold for each.
float own_sum(const private float *value)
{
    const bool odd = get_local_id(0) % 2;
    const bool upper = get_local_id(0) / 2 % 2;
    float low = odd ? value[1] : value[0];
    low += as_float(exchange(as_uint(odd ? value[0] : value[1]), 1));
    float high = low;
    if (PARTS == 2) {
        high = odd ? value[3] : value[2];
        high += as_float(exchange(as_uint(odd ? value[2] : value[3]), 1));
    }
    return (upper ? high : low) + as_float(exchange(as_uint(upper ? low : high), 2));
}

/// Twice the bound on a score's error, of the own descriptor.
float own_error(const private float *squares, const private float *lost_squares,
                const WgmmaPass pass)
{
    const float norm = norm_of(own_sum(squares));
    // The last step cuts off six terms at the last place of the score at most.
    const float error = score_bound(norm, norm_of(own_sum(lost_squares)), pass.centroid_norm,
                                    pass.centroid_residual, pass.half_square, pass.rounding) +
                        8 * pass.unit;
    return norm <= pass.longest ? 2.001f * pass.bound_scale * error : INFINITY;
}
