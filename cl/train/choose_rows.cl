// choose_rows: greedy k-means++ on a device, in the whole numbers of QuantizedRows: the rows that the
// host chooses, one after another. A step is three launches: draw_rows, compare_rows, lower_rows.
//
// -DDIMENSIONS. Rows lie as in QuantizedRows, CHOOSE_BLOCK side by side, filled up with zeros to chunks
// of CHOOSE_GROUP; what fills up is near to everything: it is never drawn and gains nothing.

#include "train_launch.h"

#define DRAW_SHARE (CHOOSE_GROUP / CHOOSE_DRAWS) // work-items that look for one drawn row
#define SHARE_ROWS (CHOOSE_GROUP / DRAW_SHARE)   // of a chunk, each
#define NO_ROW 0xffffffff

/// draw_below() of sample.hpp, `times` times, with the engine's numbers made beforehand.
void draw_below(global const ulong *numbers, global uint *used, const ulong bound,
                const uint times, local ulong *drawn)
{
    const ulong usable = ULONG_MAX - ULONG_MAX % bound;
    uint at = *used;
    for (uint i = 0; i < times; i++) {
        ulong number = numbers[at++];
        while (number >= usable) number = numbers[at++];
        drawn[i] = number % bound;
    }
    *used = at;
}

/// Turns each work-item's sum into that of all up to it.
void add_up(local ulong *sums)
{
    const uint item = get_local_id(0);
    for (uint apart = 1; apart < CHOOSE_GROUP; apart *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const ulong before = item >= apart ? sums[item - apart] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[item] += before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/// A share's first row up to which the chunk's distances sum to more than `rest`, or NO_ROW.
///
/// @param nearest  of the share's rows
/// @param shares   sums of the chunk's
uint row_up_to(ulong rest, global const float *nearest, local const uint *shares, const uint share)
{
    for (uint before = 0; before < share; before++) {
        if (rest < shares[before]) return NO_ROW;
        rest -= shares[before];
    }
    if (rest >= shares[share]) return NO_ROW;
    uint row = 0;
    while ((ulong)nearest[row] <= rest) rest -= (ulong)nearest[row++];
    return row;
}

/// Draws rows with a probability in proportion to how far they are from those chosen so far.
///
/// @param nearest     each row's squared distance to the nearest of them; 0 of those that fill up
/// @param potentials  of each chunk: their sum
/// @param numbers     the engine's
/// @param drawn       CHOOSE_DRAWS rows; fewer draws are filled up with the last
/// @param state       [CHOOSE_USED]: numbers that were used up; [CHOOSE_GAINS] and behind: set to 0
kernel __attribute__((reqd_work_group_size(CHOOSE_GROUP, 1, 1)))
void draw_rows(global const ulong *potentials, const uint chunks, const uint rows,
               global const float *nearest, global const ulong *numbers, const uint draws,
               global uint *drawn, global uint *state)
{
    local ulong sums[CHOOSE_GROUP];
    local ulong targets[CHOOSE_DRAWS];
    local ulong rests[CHOOSE_DRAWS]; // of the targets, within their chunks
    local uint chunk_of[CHOOSE_DRAWS];
    local uint shares[CHOOSE_DRAWS][DRAW_SHARE];
    const uint item = get_local_id(0);
    if (item < 2 * CHOOSE_DRAWS) state[CHOOSE_GAINS + item] = 0;
    const uint its_chunks = (chunks + CHOOSE_GROUP - 1) / CHOOSE_GROUP;
    const uint first = min(item * its_chunks, chunks);
    const uint end = min(first + its_chunks, chunks);
    ulong its_sum = 0;
    for (uint chunk = first; chunk < end; chunk++) its_sum += potentials[chunk];
    sums[item] = its_sum;
    add_up(sums);
    const ulong total = sums[CHOOSE_GROUP - 1];
    const bool all_chosen = total == 0; // as far as rounded distances show
    if (item == 0)
        draw_below(numbers, &state[CHOOSE_USED], all_chosen ? rows : total, all_chosen ? 1 : draws,
                   targets);
    if (item < CHOOSE_DRAWS) chunk_of[item] = 0; // where no chunk has the target
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 0; d < CHOOSE_DRAWS; d++) {
        const ulong target = targets[min(d, draws - 1)];
        if (target >= sums[item] || target < sums[item] - its_sum) continue;
        ulong rest = target - (sums[item] - its_sum);
        uint chunk = first;
        while (potentials[chunk] <= rest) rest -= potentials[chunk++];
        chunk_of[d] = chunk;
        rests[d] = rest;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint draw = item / DRAW_SHARE;
    const uint share = item % DRAW_SHARE;
    const uint its_rows = chunk_of[draw] * CHOOSE_GROUP + share * SHARE_ROWS;
    uint sum = 0; // of a few numbers up to 2^24
    for (uint i = 0; i < SHARE_ROWS; i++) sum += (uint)nearest[its_rows + i];
    shares[draw][share] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (all_chosen) { // not before the last barrier: PoCL would go astray
        if (share == 0) drawn[draw] = (uint)targets[0];
        return;
    }
    const uint row = row_up_to(rests[draw], nearest + its_rows, shares[draw], share);
    if (row != NO_ROW) drawn[draw] = its_rows + row;
}

/// The squared distances of a chunk to the rows that were drawn, and by how much each of those
/// would lower the sum of all distances.
kernel __attribute__((reqd_work_group_size(CHOOSE_GROUP, 1, 1)))
void compare_rows(global const short *values, global const float *squares,
                  global const float *nearest, global const uint *drawn, global float *distances,
                  global uint *state)
{
    local float others[DIMENSIONS][CHOOSE_DRAWS]; // minus twice the value
    local uint gains[CHOOSE_DRAWS][CHOOSE_GROUP];
    local ulong shares[CHOOSE_DRAWS][DRAW_SHARE];
    const uint item = get_local_id(0);
    for (uint i = item; i < DIMENSIONS * CHOOSE_DRAWS; i += CHOOSE_GROUP) {
        const uint other = drawn[i % CHOOSE_DRAWS];
        others[i / CHOOSE_DRAWS][i % CHOOSE_DRAWS] =
            -2.0f * values[((size_t)(other / CHOOSE_BLOCK) * DIMENSIONS + i / CHOOSE_DRAWS) *
                               CHOOSE_BLOCK +
                           other % CHOOSE_BLOCK];
    }
    const uint row = get_global_id(0);
    float sums[CHOOSE_DRAWS];
    for (uint d = 0; d < CHOOSE_DRAWS; d++) sums[d] = squares[row] + squares[drawn[d]];
    barrier(CLK_LOCAL_MEM_FENCE);
    global const short *value =
        values + (size_t)(row / CHOOSE_BLOCK) * DIMENSIONS * CHOOSE_BLOCK + row % CHOOSE_BLOCK;
#pragma unroll 8
    for (uint i = 0; i < DIMENSIONS; i++) {
        const float its = value[i * CHOOSE_BLOCK];
#pragma unroll
        for (uint d = 0; d < CHOOSE_DRAWS; d++) sums[d] += its * others[i][d];
    }
    const float so_far = nearest[row];
    for (uint d = 0; d < CHOOSE_DRAWS; d++) {
        distances[(size_t)d * get_global_size(0) + row] = sums[d];
        gains[d][item] = (uint)fmax(so_far - sums[d], 0.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint draw = item / DRAW_SHARE;
    const uint share = item % DRAW_SHARE;
    ulong sum = 0;
    for (uint i = 0; i < SHARE_ROWS; i++) sum += gains[draw][i * DRAW_SHARE + share];
    shares[draw][share] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= CHOOSE_DRAWS) return;
    sum = 0;
    for (uint i = 0; i < DRAW_SHARE; i++) sum += shares[item][i];
    if (sum == 0) return;
    const uint low = (uint)sum;
    const uint before = atomic_add(&state[CHOOSE_GAINS + 2 * item], low);
    const uint high = (uint)(sum >> 32) + (before + low < low ? 1 : 0);
    if (high != 0) atomic_add(&state[CHOOSE_GAINS + 2 * item + 1], high);
}

/// Makes the best of those that were drawn the next centroid, of equal ones the first.
///
/// @param chosen  the centroids' rows; [step] is the one to write
kernel __attribute__((reqd_work_group_size(CHOOSE_GROUP, 1, 1)))
void lower_rows(global const uint *drawn, global const float *distances, global float *nearest,
                global ulong *potentials, global uint *chosen, const uint step,
                global const uint *state)
{
    local uint lowered[CHOOSE_GROUP];
    local ulong shares[DRAW_SHARE];
    const uint item = get_local_id(0);
    const uint row = get_global_id(0);
    uint best = 0;
    ulong most = 0;
    for (uint d = 0; d < CHOOSE_DRAWS; d++) {
        global const uint *gain = state + CHOOSE_GAINS + 2 * d;
        const ulong its = (ulong)gain[1] << 32 | gain[0];
        if (d == 0 || its > most) {
            best = d;
            most = its;
        }
    }
    if (row == 0) chosen[step] = drawn[best];
    const float least = fmin(nearest[row], distances[(size_t)best * get_global_size(0) + row]);
    nearest[row] = least;
    lowered[item] = (uint)least;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong sum = 0;
    if (item < DRAW_SHARE)
        for (uint i = 0; i < SHARE_ROWS; i++) sum += lowered[i * DRAW_SHARE + item];
    if (item < DRAW_SHARE) shares[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item != 0) return;
    sum = 0;
    for (uint i = 0; i < DRAW_SHARE; i++) sum += shares[i];
    potentials[get_group_id(0)] = sum;
}
