// peak_matrix: matrix multiply-adds out of registers and nothing else, on NVIDIA's matrix units.
//
// mma.sync (PTX ISA, "mma.m16n8k16") multiplies a 16 x 16 tile by a 16 x 8 tile, both fp16, and adds
// to a 16 x 8 tile of float32, which a warp of 32 work-items holds together. TILES tiles do not wait
// for each other. `operand` is two fp16 numbers, the same everywhere.

kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void peak_matrix(const uint steps, const uint operand, global float *out)
{
    const uint a = operand;
    const uint b = operand;
    float sums[TILES][4];
#pragma unroll
    for (uint tile = 0; tile < TILES; tile++)
        sums[tile][0] = sums[tile][1] = sums[tile][2] = sums[tile][3] = 0;
    for (uint step = 0; step < steps; step++) {
#pragma unroll
        for (uint tile = 0; tile < TILES; tile++)
            __asm__ volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                             "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                             : "+f"(sums[tile][0]), "+f"(sums[tile][1]), "+f"(sums[tile][2]),
                               "+f"(sums[tile][3])
                             : "r"(a), "r"(b));
    }
    float total = 0;
#pragma unroll
    for (uint tile = 0; tile < TILES; tile++)
        total += sums[tile][0] + sums[tile][1] + sums[tile][2] + sums[tile][3];
    out[get_global_id(0)] = total; // else the compiler would leave the work out
}
