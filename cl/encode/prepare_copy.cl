// prepare_copy: descriptors side by side with room behind each, and the mirrored ones behind all.
//
// -DMIRRORS: 1 to add the descriptors of mirrored images, of 4 x 4 cells of four channels.
// -DACROSS, -DDOWN: 3 where columns, rows of cells change places, else 0. -DTURNED: the channel that
// changes its sign. Values are copied as bits, so that no device touches them.

/// 0 - x: not -x, which makes a negative zero.
uint less(const uint bits)
{
    return bits << 1 == 0 ? 0 : bits ^ 0x80000000u;
}

/// @param pitch   floats from row to row
/// @param bags    of the rows
/// @param counts  [0] how many rows there are; [1] as count[1]
kernel void lay_out(global const uint *values, global const uint *bag,
                    global const uint *count, const uint dimensions, const uint pitch,
                    global uint *rows, global uint *bags, global uint *counts)
{
    const size_t item = get_global_id(0);
    const uint n = count[0];
    if (item == 0) {
        counts[0] = n + n * MIRRORS;
        counts[1] = count[1];
    }
    const size_t row = item / dimensions;
    const uint i = item % dimensions;
    if (row >= n) return;
    rows[row * pitch + i] = values[item];
    if (i == 0) bags[row] = bag[row];
    if (MIRRORS) {
        const uint cell = i / 4;
        const uint channel = i % 4;
        const uint from = ((cell / 4) ^ DOWN) * 4 + ((cell % 4) ^ ACROSS);
        const uint bits = values[item - i + from * 4 + channel];
        rows[(n + row) * pitch + i] = channel == TURNED ? less(bits) : bits;
        if (i == 0) bags[n + row] = bag[row];
    }
}
