// add_words: to sums and counts of some words, those of another device. -DDIMENSIONS.

/// @param others  sums of `words` words, DIMENSIONS numbers of 64 bits each, then their counts
/// @param first   the first of these words
/// @param sums    k rows of DIMENSIONS numbers, two words each
kernel void add_words(global const uint *others, const uint words, const uint first,
                      global uint *sums, global uint *counts)
{
    const size_t numbers = (size_t)words * DIMENSIONS;
    const size_t i = get_global_id(0);
    if (i >= numbers) return;
    const size_t at = 2 * ((size_t)first * DIMENSIONS + i);
    const ulong other = (ulong)others[2 * i + 1] << 32 | others[2 * i];
    const ulong sum = ((ulong)sums[at + 1] << 32 | sums[at]) + other;
    sums[at] = (uint)sum;
    sums[at + 1] = (uint)(sum >> 32);
    if (i < words) counts[first + i] += others[2 * numbers + i];
}
