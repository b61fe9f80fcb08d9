// histogram256_local: a group counts in local memory, then adds its counts to the global ones.
//
// COPIES histograms a group, one beside the other: neighboring work-items count in different ones.
// (Listing 4.1 is COPIES = 1.) -DGROUP: work-items a group. -DALIGNED as in byte_rows.cl.

#include "byte_rows.cl"

#define COUNT(bytes, shift) atomic_inc(&mine[(((bytes) >> (shift)) & 255) * COPIES])
#define COUNT_FOUR(bytes) COUNT(bytes, 0); COUNT(bytes, 8); COUNT(bytes, 16); COUNT(bytes, 24)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram256(global const uchar *pixels, global uint *histograms, const ByteRows rows)
{
    local uint counts[256 * COPIES];
    const uint item = get_local_id(0);
    const uint image = get_group_id(1);
    for (uint i = item; i < 256 * COPIES; i += GROUP) counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    local uint *mine = counts + item % COPIES;
    const uint first = get_group_id(0) * rows.run;
    const uint end = min(first + rows.run, rows.vectors * rows.height);
    pixels += (size_t)image * rows.height * rows.in_pitch;
    for (uint vector = first + item; vector < end; vector += GROUP) {
        const uint x = vector % rows.vectors * 16;
        global const uchar *row = pixels + (size_t)(vector / rows.vectors) * rows.in_pitch;
        if (x + 16 <= rows.width) {
            const uint4 bytes = load_pixels(row + x);
            COUNT_FOUR(bytes.x);
            COUNT_FOUR(bytes.y);
            COUNT_FOUR(bytes.z);
            COUNT_FOUR(bytes.w);
        } else {
            for (uint i = x; i < rows.width; i++) COUNT(row[i], 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = item; bin < 256; bin += GROUP) {
        uint sum = 0;
        for (uint copy = 0; copy < COPIES; copy++) sum += counts[bin * COPIES + copy];
        if (sum > 0) atomic_add(&histograms[image * 256 + bin], sum);
    }
}
