// memory_table: work-items read a small table STRIDE floats apart, over and over.
//
// The table lies in local memory, in banks, or with -DCONSTANT in constant memory
// (docs/operations/memory_access.md).
//
// -DSIZE: floats of the table, a power of two. -DGROUP: work-items a group. -DUNDER_WAY: loads that
// a work-item has under way at once; divides `loads`.

#ifdef CONSTANT
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void read_memory(constant float *values, global float *sums, const uint loads)
{
#else
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void read_memory(global const float *in, global float *sums, const uint loads)
{
    local float values[SIZE];
    for (uint i = get_local_id(0); i < SIZE; i += GROUP) values[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    const uint lane = get_local_id(0);
    float sum = 0;
    for (uint i = 0; i < loads; i += UNDER_WAY)
#pragma unroll
        for (uint j = 0; j < UNDER_WAY; ++j) sum += values[(lane * STRIDE + i + j) % SIZE];
    sums[get_global_id(0)] = sum;
}
