// gpu6, for CPUs that multiply 16-bit integers two a lane: a work-item is a group and searches
// VECTORS x CPU_LANES descriptors at a time, one a lane.
//
// Descriptors and centroids are rounded to sixteen bits; their products are summed exactly in
// thirty-two, so that all the error lies in the rounding, which is measured (docs/words.md, the
// bound of an integer score). Each row has its own scale. A score's low bits make room for the
// word's number, so that best and runner-up are maxima and minima and nothing else. Rows that
// integers cannot prove get a second look: in float32, then by the rule among the few words that
// are left.
//
// DIMENSIONS: a multiple of 4. VNNI: the CPU has vpdpwssd. Centroids come thrice: as they are, and
// packed [CPU_LANES of them][pair of dimensions][lane] in integers and [CPU_LANES of them][dimension][lane]
// in floats, zero beyond k; their starts are -||c||^2 / 2, -infinity beyond k.

#include "look_again.cl"
#include "row_block.cl"
#include "score.cl"

#define PAIRS (DIMENSIONS / 2)
#define PART 8 // VECTORS x PART sums, a vector of each and a centroid fill AVX-512's registers
#define VECTORS (CPU_INTEGER_ROWS / CPU_LANES)

/// Each row's greatest score and the next one, the word's number in the low bits.
typedef struct {
    int16 best[VECTORS];
    int16 second[VECTORS];
    uint last; // the number of the PART of words seen last, times PART
} Ranking;

/// Sixteen rows' scales, norms, and what rounding them changed.
typedef struct {
    float16 scale;
    float16 norm;
    float16 residual;
} Rounded;

/// sum + a0 b0 + a1 b1 in each lane, of the two 16-bit integers in a and in b.
int16 add_products(int16 sum, const int16 a, const int16 b)
{
#if defined(VNNI) && defined(__AVX512F__)
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b)); // OpenCL C has no name for it
    return sum;
#else
    return sum + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

/// Rounds sixteen rows, each by the largest scale that keeps elements in 16 bits and scores in 32.
Rounded round_rows(const float16 block[DIMENSIONS], int16 *pairs, const IntegerPass integers)
{
    float16 squares = 0;
    for (uint d = 0; d < DIMENSIONS; d++) squares = fma(block[d], block[d], squares);
    Rounded rows;
    rows.norm = sqrt(squares) * 1.001f + 0x1p-56f; // squares may underflow
    rows.scale =
        fmin(fmin(integers.longest_row / rows.norm, integers.largest_scale),
             integers.largest_score / (integers.length * (rows.norm + integers.half_norm)));
    // A float of this size has its units in the last bit: adding it rounds to an integer.
    const float16 units = 0x1.8p23f;
    float16 changes = 0;
    for (uint p = 0; p < PAIRS; p++) {
        const float16 even = fma(block[2 * p], rows.scale, units);
        const float16 odd = fma(block[2 * p + 1], rows.scale, units);
        const float16 even_change = fma(block[2 * p], rows.scale, units - even);
        const float16 odd_change = fma(block[2 * p + 1], rows.scale, units - odd);
        changes = fma(even_change, even_change, changes);
        changes = fma(odd_change, odd_change, changes);
        pairs[p * VECTORS] = (as_int16(even) & 0xffff) | as_int16(odd) << 16;
    }
    rows.residual = sqrt(changes) * 1.001f + 0x1p-8f;
    return rows;
}

#ifdef VNNI
#define INLINED __attribute__((always_inline)) // called, they would keep their sums in memory
#else
#define INLINED // oclgrind cannot run what the attribute leaves
#endif

/// Scores of PART words for all rows of the block.
INLINED
void score_part(int16 score[PART][VECTORS], const int16 pairs[PAIRS * VECTORS],
                const float16 scale[VECTORS], global const int *words, global const float *starts)
{
#pragma unroll
    for (uint j = 0; j < PART; j++)
#pragma unroll
        for (uint v = 0; v < VECTORS; v++) score[j][v] = convert_int16(scale[v] * starts[j]);
    for (uint p = 0; p < PAIRS; p++)
#pragma unroll
        for (uint j = 0; j < PART; j++)
#pragma unroll
            for (uint v = 0; v < VECTORS; v++)
                score[j][v] = add_products(score[j][v], pairs[p * VECTORS + v],
                                           (int16)(words[p * CPU_LANES + j]));
}

/// Finds each row's best words. Meanwhile it asks for the rows of the next block.
INLINED
Ranking search_words(const int16 pairs[PAIRS * VECTORS], const float16 scale[VECTORS],
                     global const int *words, global const float *starts,
                     global const float *descriptors, const uint next, const ScorePass search,
                     const int number_mask)
{
    Ranking ranking;
#pragma unroll
    for (uint v = 0; v < VECTORS; v++) ranking.best[v] = ranking.second[v] = INT_MIN;
    ranking.last = 0;
    for (uint first = 0; first < search.k; first += PART) {
        prefetch_rows(descriptors, next, CPU_INTEGER_ROWS, first / PART, search.n);
        int16 score[PART][VECTORS];
        global const int *part = words + (size_t)(first / CPU_LANES * CPU_LANES) * PAIRS + first % CPU_LANES;
        score_part(score, pairs, scale, part, starts + first);
        ranking.last = LAST_SEEN(starts[first], first, ranking.last);
#pragma unroll
        for (uint j = 0; j < PART; j++) {
            if (first + j >= search.k) continue;
#pragma unroll
            for (uint v = 0; v < VECTORS; v++) {
                const int16 numbered = (score[j][v] & ~number_mask) | (int16)(first + j);
                ranking.second[v] = max(ranking.second[v], min(ranking.best[v], numbered));
                ranking.best[v] = max(ranking.best[v], numbered);
            }
        }
    }
    return ranking;
}

/// The rows whose best score exceeds all others by more than both may be wrong: all bits set.
int16 proven(const int16 best, const int16 second, const Rounded rows, const ScorePass search,
             const IntegerPass integers)
{
    const float16 length = rows.scale * rows.norm;
    const float16 margin = integers.base + rows.residual * integers.residual +
                           length * (integers.linear + rows.norm * integers.quadratic) +
                           rows.scale * integers.per_scale;
    // One more for what is cut off; a limit below all integers is above none.
    const int16 limit = sub_sat(best, convert_int16(fmin(margin, 0x1p30f)) + 1);
    return margin < 0x1p30f && rows.norm <= search.largest_norm && second < limit;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void assign(global const float *descriptors, global const uint *count,
            global const float *centroids, global const int *pairs_of_words,
            global const float *tiles, global const float *starts, ScorePass search,
            const IntegerPass integers, global const uint *bag, global int *words,
            global uint *histograms, global uint *unproven, global uint *contested)
{
    search.n = *count;
    const uint first = get_group_id(0) * CPU_INTEGER_ROWS;
    if (first >= search.n) return;
    int16 pairs[PAIRS * VECTORS];
    float16 scale[VECTORS];
    Rounded rows[VECTORS];
    for (uint v = 0; v < VECTORS; v++) {
        float16 block[DIMENSIONS];
        read_block(block, descriptors, first + v * CPU_LANES, search.n);
        rows[v] = round_rows(block, pairs + v, integers);
        scale[v] = rows[v].scale * integers.scale;
    }
    const Ranking ranking = search_words(pairs, scale, pairs_of_words, starts, descriptors,
                                         first + CPU_INTEGER_ROWS, search, integers.number_mask);
    if (ranking.last + PART < search.k) search.largest_norm = -1; // then nothing is proven
    for (uint v = 0; v < VECTORS; v++) {
        const int16 word = ranking.best[v] & integers.number_mask;
        const int16 stands =
            proven(ranking.best[v], ranking.second[v], rows[v], search, integers);
        for (uint lane = 0; lane < CPU_LANES && first + v * CPU_LANES + lane < search.n; lane++) {
            const uint row = first + v * CPU_LANES + lane;
            uint found = ((uint *)&word)[lane];
            if (!((int *)&stands)[lane] && search.k > 1)
                found = look_again(descriptors + (size_t)row * DIMENSIONS, found,
                                   ((float *)&rows[v].norm)[lane], centroids, tiles, starts, search,
                                   contested);
            settle_word(found != UNDECIDED, found, row, search.k, bag, words, histograms,
                        unproven);
        }
    }
}
