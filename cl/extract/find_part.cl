// find_part: a launch works through parts of different lengths, one behind another; which is it at?

/// The last of `count` parts that begins at this place or before; firsts[0] is 0.
uint find_part(global const uint *firsts, const uint count, const uint place)
{
    uint low = 0;
    for (uint high = count; high - low > 1;) {
        const uint middle = (low + high) / 2;
        if (firsts[middle] <= place) low = middle;
        else high = middle;
    }
    return low;
}
