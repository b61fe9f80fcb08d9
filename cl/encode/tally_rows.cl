// tally_rows: what an image's rows add up to: how many have each word and, for codes, the sums of
// each word's rows in whole numbers. So their order does not matter.
//
// A tally holds k counts, behind them with add_rows the sums, k x DIMENSIONS: numbers of 64 bits, low
// halves first. `bag` names each row's tally.

/// The host's whole() of a value, in whole numbers alone: value * 2^exponent, rounded to even, of a
/// magnitude of at most MOST, which NaN becomes, too.
#define MOST (1u << 26)

int whole(const uint bits, const int exponent)
{
    const uint magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return MOST;
    const int field = (int)(magnitude >> 23);
    const uint significand = field > 0 ? (magnitude & 0x7FFFFFu) | 0x800000u : magnitude;
    const int power = max(field, 1) - 150 + exponent;
    uint size;
    if (field == 255 || (power > 0 && significand > MOST >> min(power, 27))) {
        size = MOST;
    } else if (power >= 0) {
        size = significand << min(power, 26);
    } else {
        const uint down = (uint)min(-power, 25);
        const uint rest = significand & ((1u << down) - 1);
        const uint half_way = 1u << (down - 1);
        size = significand >> down;
        if (rest > half_way || (rest == half_way && (size & 1) != 0)) size++;
    }
    return bits >> 31 != 0 ? -(int)size : (int)size;
}

#ifdef DIMENSIONS
/// A work-item for each value. Each number is added with MOST more, which the host takes off again:
/// few low halves overflow when all numbers are above 0.
/// @param count  rows
kernel void add_rows(global const uint *values, global const int *words, global const uint *bag,
                     global const uint *count, const uint k, const int exponent,
                     global uint *tallies)
{
    const size_t item = get_global_id(0);
    const size_t row = item / DIMENSIONS;
    if (row >= *count) return;
    const uint word = (uint)words[row];
    if (word >= k) return; // a broken kernel's: the host misses its count
    const uint i = item % DIMENSIONS;
    global uint *tally = tallies + bag[row] * ((size_t)k * (1 + 2 * DIMENSIONS));
    if (i == 0) atomic_inc(&tally[word]);
    global uint *sum = tally + k + ((size_t)word * DIMENSIONS + i) * 2;
    const uint number = (uint)(whole(values[item], exponent) + (int)MOST);
    const uint before = atomic_add(&sum[0], number);
    if (before + number < before) atomic_inc(&sum[1]);
}
#endif

/// A work-item for each row.
/// @param nearest  words of a row: the first counts so much, the last 1
kernel void count_rows(global const int *words, global const uint *bag, global const uint *count,
                       const uint k, const uint nearest, global uint *tallies)
{
    const size_t row = get_global_id(0);
    if (row >= *count) return;
    for (uint i = 0; i < nearest; i++) {
        const uint word = (uint)words[row * nearest + i];
        if (word < k) atomic_add(&tallies[(size_t)bag[row] * k + word], nearest - i);
    }
}
