// transpose_naive: rows x columns becomes columns x rows, one work-item an element.
//
// Reads are contiguous, writes are `rows` floats apart: the fault that transpose_tiled mends.

kernel void transpose(global const float *in, global float *out, const uint rows, const uint columns)
{
    const uint column = get_global_id(0);
    const uint row = get_global_id(1);
    if (row < rows && column < columns) out[(size_t)column * rows + row] = in[(size_t)row * columns + column];
}
