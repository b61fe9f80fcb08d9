// memory_walks: orders in which a buffer is read, each element exactly once (SAME: some often).
//
// Reading number t of all work-items together, neighbors side by side, goes to place(t).
// -DWALK=CONTIGUOUS, STRIDED (neighbors lie STRIDE elements apart), SCATTERED (anywhere) or SAME
// (STRIDE neighbors go to one place: with as many as there are work-items, all go there).
// -DUNDER_WAY: loads that a work-item has under way at once; divides `loads`.

#define CONTIGUOUS 0
#define STRIDED 1
#define SCATTERED 2
#define SAME 3

/// The place that reading t goes to, of `size` elements, a power of two.
uint place(const uint t, const uint size)
{
#if WALK == CONTIGUOUS
    return t;
#elif WALK == STRIDED
    const uint round = size / STRIDE; // a power of two, so no division
    return (t & (round - 1)) * STRIDE + (t >> (31 - clz(round)));
#elif WALK == SAME
    return t / STRIDE;
#else
    // Each step maps 0 ... size - 1 onto itself, so all of it does: an order without a pattern.
    const uint bits = 31 - clz(size);
    uint p = t;
    p ^= p >> (bits / 2);
    p = p * 0x9E3779B1u & (size - 1);
    p ^= p >> (bits / 2);
    p = p * 0x85EBCA6Bu & (size - 1);
    return p ^ p >> (bits / 2);
#endif
}
