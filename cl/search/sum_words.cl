// sum_words: products of queries with the images of windows, from bitmaps of their words.
//
// A work-item adds up 32 images at once: bit i of a bitmap's word is image i. Bitmaps of weight 2^p
// go through full adders, eight at a time, into the planes of p, p + 1 and p + 2; what goes beyond
// is added to plane p + 3 and ripples on. Then rare words and high counts, which are lists, are
// added in local memory.
//
// -DPLANES: bits of a sum.

#include "search_launch.h"

/// Images lie 32 apart, so that neighboring work-items use different banks.
#define SUM_AT(image) (((image) & 31) * (SEARCH_ITEMS + 1) + ((image) >> 5))

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
#pragma unroll
    for (uint p = 0; p < PLANES; ++p) {
        if (p < from) continue;
        const uint carry = plane[p] & bits;
        plane[p] ^= bits;
        bits = carry;
    }
}

/// What an entry adds.
uint gain(const SearchList *list, const uint excess, constant uint *values)
{
    return list->factor * (values[list->levels + excess] - values[list->levels]);
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

kernel __attribute__((reqd_work_group_size(SEARCH_ITEMS, 1, 1)))
void sum_words(global const uint *bits, const uint rows, global const uint *starts,
               global const ushort *entries, global const uint *long_starts,
               global const SearchLongEntry *long_entries, const uint words,
               const uint first_window,
               global const uint *query_rows, global const uint *plane_starts,
               global const SearchList *lists, global const uint *list_starts,
               constant uint *values, const uint images, global uint *sums)
{
    local uint sum[32 * (SEARCH_ITEMS + 1)];
    const uint item = get_local_id(0);
    const uint query = get_group_id(1);
    const uint window = first_window + get_group_id(0);
    global const uint *mine = bits + (size_t)window * rows * SEARCH_ITEMS + item;
    global const uint *ends = plane_starts + query * (PLANES + 1);

    uint plane[PLANES + 3];
#pragma unroll
    for (uint p = 0; p < PLANES + 3; ++p) plane[p] = 0;
#pragma unroll
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
    for (uint b = 0; b < 32; ++b) {
        uint value = 0;
#pragma unroll
        for (uint p = 0; p < PLANES; ++p) value |= (plane[p] >> b & 1) << p;
        sum[b * (SEARCH_ITEMS + 1) + item] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    global const uint *list_of = starts + (size_t)window * (words + 1);
    const uint first_list = list_starts[query];
    const uint end_list = list_starts[query + 1];
    for (uint l = first_list + item; l < end_list; l += SEARCH_ITEMS) {
        const SearchList list = lists[l];
        for (uint i = list_of[list.word]; i < list_of[list.word + 1]; ++i)
            atomic_add(&sum[SUM_AT(entries[i] >> 4)], gain(&list, entries[i] & 15, values));
    }
    for (uint i = long_starts[window] + item; i < long_starts[window + 1]; i += SEARCH_ITEMS) {
        const SearchLongEntry entry = long_entries[i];
        const uint l = find_list(lists, first_list, end_list, entry.word);
        if (l == end_list) continue;
        const SearchList list = lists[l];
        atomic_add(&sum[SUM_AT(entry.place)], gain(&list, entry.excess, values));
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t to = (size_t)query * images + get_group_id(0) * SEARCH_WINDOW;
    for (uint i = item; i < SEARCH_WINDOW; i += SEARCH_ITEMS) sums[to + i] = sum[SUM_AT(i)];
}
