// histogram256_serial: for a CPU: a work-item counts a run of pixels in memory of its own.
//
// Eight histograms in turn: a count that follows an equal one would else wait for its store.
// -DALIGNED as in byte_rows.cl.

#include "byte_rows.cl"

#define COUNT(copy) counts[copy][(bytes >> (8 * (copy))) & 255]++

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void histogram256(global const uchar *pixels, global uint *histograms, const ByteRows rows)
{
    uint counts[8][256];
    const uint image = get_global_id(1);
    for (uint copy = 0; copy < 8; copy++)
        for (uint bin = 0; bin < 256; bin++) counts[copy][bin] = 0;

    const uint first = get_global_id(0) * rows.run;
    const uint end = min(first + rows.run, rows.vectors * rows.height);
    pixels += (size_t)image * rows.height * rows.in_pitch;
    for (uint vector = first; vector < end;) {
        const uint y = vector / rows.vectors; // this row's part of the run
        const uint last = min(end, (y + 1) * rows.vectors);
        uint x = vector % rows.vectors * 16;
        const uint row_end = min(x + (last - vector) * 16, rows.width);
        global const uchar *row = pixels + (size_t)y * rows.in_pitch;
        for (; x + 8 <= row_end; x += 8) {
            const ulong bytes = as_ulong(vload8(0, row + x));
            COUNT(0);
            COUNT(1);
            COUNT(2);
            COUNT(3);
            COUNT(4);
            COUNT(5);
            COUNT(6);
            COUNT(7);
        }
        for (; x < row_end; x++) counts[0][row[x]]++;
        vector = last;
    }
    for (uint bin = 0; bin < 256; bin++) {
        uint sum = 0;
        for (uint copy = 0; copy < 8; copy++) sum += counts[copy][bin];
        if (sum > 0) atomic_add(&histograms[image * 256 + bin], sum);
    }
}
