// sum_words: products of queries with the images of windows, from bitmaps of their words, and which
// images' scores, in floats, reach a query's limit.
//
// A work-item adds up 32 images at once: bit i of a bitmap's word is image i. Bitmaps of weight 2^p
// go through full adders, eight at a time, into the planes of p, p + 1 and p + 2; what goes beyond
// is added to plane p + 3 and ripples on. Then rare words and high counts, which are lists, are
// added in local memory: a team of work-items walks along each list.
//
// -DPLANES: bits of a sum, 16 or 32; two sums of 16 share a word. -DCODES: 1 where codes count, too.
// -DUNROLL: 1 keeps planes in registers; a CPU's compiler takes 20 times as long then.

#include "keep_hit.h"

#define TEAM 16   // work-items: most lists have fewer entries than two teams
#define SHORT 32  // counts of short entries, and more: 8 bitmaps and an excess of 15

#if PLANES == 16
#define SUMS 16 // words for 32 sums
#define ONES 0x00010001U
#else
#define SUMS 32
#define ONES 1U
#endif

/// Images lie SUMS apart, so that neighboring work-items use different banks.
#define WORD_OF(image) (((image) & (SUMS - 1)) * (SEARCH_ITEMS + 1) + ((image) >> 5))
#define SHIFT_OF(image) ((image) & 31 & ~(SUMS - 1))

/// sum + b + c: the low bit stays, the high one is returned.
uint full_add(uint *sum, uint b, uint c)
{
    const uint differ = *sum ^ b;
    const uint carry = (*sum & b) | (differ & c);
    *sum = differ ^ c;
    return carry;
}

/// Adds bits of weight 2^from.
void ripple(uint *plane, uint bits, const uint from)
{
#if UNROLL
#pragma unroll
#endif
    for (uint p = 0; p < PLANES; ++p) {
        if (p < from) continue;
        const uint carry = plane[p] & bits;
        plane[p] ^= bits;
        bits = carry;
    }
}

/// The list of a word, which rise; `end` without one.
uint find_list(global const SearchList *lists, const uint first, const uint end, const uint word)
{
    uint low = first;
    for (uint high = end; low < high;) {
        const uint middle = (low + high) / 2;
        if (lists[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && lists[low].word == word ? low : end;
}

/// Adds bits to sums in local memory.
void add_to(local uint *sums, const uint image, const uint gain)
{
    atomic_add(&sums[WORD_OF(image)], gain << SHIFT_OF(image));
}

/// The product with an image.
uint sum_of(local const uint *sums, const uint image)
{
    return PLANES == 16 ? sums[WORD_OF(image)] >> SHIFT_OF(image) & 0xFFFF : sums[WORD_OF(image)];
}

kernel __attribute__((reqd_work_group_size(SEARCH_ITEMS, 1, 1)))
void sum_words(global const uint *bits, const uint rows, global const uint *starts,
               global const ushort *entries, global const uint *long_starts,
               global const SearchLongEntry *long_entries, const uint words,
               global const uint *query_rows, global const uint *plane_starts,
               global const SearchList *lists, global const uint *list_starts,
               constant uint *values, global const float *word_norms,
               global const int *products, global const float *code_norms,
               global const SearchLimit *limits, const SearchRound windows, global uint *count,
               global SearchHit *hits)
{
    local uint sum[SUMS * (SEARCH_ITEMS + 1)];
    local uint value[SHORT];
    local SearchList some[SEARCH_ITEMS];
    local uint2 range[SEARCH_ITEMS];
    const uint item = get_local_id(0);
    const uint query = get_group_id(0); // neighbors share a window, and the cache keeps it
    const uint window = windows.first_window + get_group_id(1);
    global const uint *mine = bits + (size_t)window * rows * SEARCH_ITEMS + item;
    global const uint *ends = plane_starts + query * (PLANES + 1);
    if (item < SHORT) value[item] = values[item];

    uint plane[PLANES + 3];
#if UNROLL
#pragma unroll
#endif
    for (uint p = 0; p < PLANES + 3; ++p) plane[p] = 0;
#if UNROLL
#pragma unroll
#endif
    for (uint p = 0; p < PLANES; ++p) {
        uint i = ends[p];
        const uint end = ends[p + 1];
        for (; i + 8 <= end; i += 8) {
            global const uint *at = query_rows + i;
            const uint a = full_add(&plane[p], mine[at[0]], mine[at[1]]);
            const uint b = full_add(&plane[p], mine[at[2]], mine[at[3]]);
            const uint c = full_add(&plane[p + 1], a, b);
            const uint d = full_add(&plane[p], mine[at[4]], mine[at[5]]);
            const uint e = full_add(&plane[p], mine[at[6]], mine[at[7]]);
            const uint f = full_add(&plane[p + 1], d, e);
            const uint g = full_add(&plane[p + 2], c, f);
            ripple(plane, g, p + 3);
        }
        for (; i < end; i++) ripple(plane, mine[query_rows[i]], p);
    }
    for (uint b = 0; b < SUMS; ++b) {
        uint both = 0;
#if UNROLL
#pragma unroll
#endif
        for (uint p = 0; p < PLANES; ++p) both |= (plane[p] >> b & ONES) << p;
        sum[b * (SEARCH_ITEMS + 1) + item] = both;
    }

    global const uint *list_of = starts + (size_t)window * (words + 1);
    const uint first_list = list_starts[query];
    const uint end_list = list_starts[query + 1];
    for (uint first = first_list; first < end_list; first += SEARCH_ITEMS) {
        const uint count_here = min((uint)SEARCH_ITEMS, end_list - first);
        if (item < count_here) {
            const SearchList list = lists[first + item];
            some[item] = list;
            range[item] = (uint2)(list_of[list.word], list_of[list.word + 1]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint l = item / TEAM; l < count_here; l += SEARCH_ITEMS / TEAM) {
            const SearchList list = some[l];
            const uint2 its = range[l];
            for (uint i = its.x + item % TEAM; i < its.y; i += TEAM) {
                const uint entry = entries[i];
                add_to(sum, entry >> 4,
                       list.factor * (value[list.levels + (entry & 15)] - value[list.levels]));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = long_starts[window] + item; i < long_starts[window + 1]; i += SEARCH_ITEMS) {
        const SearchLongEntry entry = long_entries[i];
        const uint l = find_list(lists, first_list, end_list, entry.word);
        if (l == end_list) continue;
        const SearchList list = lists[l];
        add_to(sum, entry.place,
               list.factor * (values[list.levels + entry.excess] - values[list.levels]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const SearchLimit limit = limits[query];
    const size_t norms = (size_t)window * SEARCH_WINDOW;
    const uint base = get_group_id(1) * SEARCH_WINDOW;
    for (uint i = item; i < SEARCH_WINDOW; i += SEARCH_ITEMS) {
        if (base + i < windows.first || base + i >= windows.end) continue;
        SearchHit hit = {query, windows.first_image + base + i, sum_of(sum, i), 0};
        float score = (float)hit.words * word_norms[norms + i] * limit.word_factor;
#if CODES
        hit.codes = products[(size_t)query * windows.images + base + i];
        score += (float)hit.codes * code_norms[norms + i] * limit.code_factor;
#endif
        keep_hit(hit, score, limit.limit, count, windows.capacity, hits);
    }
}
