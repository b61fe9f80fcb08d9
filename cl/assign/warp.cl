// warp: what NVIDIA's warps can do that OpenCL C has no names for, as inline PTX.
//
// A warp is 32 neighboring work-items in step; a quad, four neighbors in it.

#include "assign_launch.h"

uint shuffle(const uint value, const uint lane)
{
    uint result;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, -1;" : "=r"(result) : "r"(value), "r"(lane));
    return result;
}

/// Waits for the warp: what its work-items wrote to local memory is then there for all of them.
void warp_barrier()
{
    asm volatile("bar.warp.sync -1;" ::: "memory");
}

uint ballot(const bool vote)
{
    uint result;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }"
                 : "=r"(result) : "r"((uint)vote));
    return result;
}

uint halves(const float low, const float high)
{
    uint result;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
}

float2 floats(const uint pair)
{
    float2 result;
    asm("{ .reg .f16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }"
        : "=f"(result.x), "=f"(result.y) : "r"(pair));
    return result;
}

/// The value of work-item `of` of the quad.
uint of_quad(const uint value, const uint of)
{
    return shuffle(value, get_local_id(0) % WARP / 4 * 4 + of);
}

uint exchange(const uint value, const uint distance)
{
    uint result;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;"
                 : "=r"(result) : "r"(value), "r"(distance));
    return result;
}

/// The same among that many neighbors (a power of two) that may be apart from the rest of the warp.
uint exchange_among(const uint neighbors, const uint value, const uint distance)
{
    const uint first = get_local_id(0) % WARP / neighbors * neighbors;
    uint result;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;"
                 : "=r"(result)
                 : "r"(value), "r"(distance), "r"(((1u << neighbors) - 1) << first));
    return result;
}

/// Places in a list for the warp's work-items that want one; the list's first word counts.
uint append(global uint *list, const bool wanted)
{
    const uint lane = get_local_id(0) % WARP;
    const uint all = ballot(wanted);
    uint first = 0;
    if (lane == 0 && all != 0) first = atomic_add(list, popcount(all));
    return shuffle(first, 0) + popcount(all & ((1u << lane) - 1));
}

/// Starts to copy 16 bytes to local memory.
void copy_quad(local uint4 *to, global const uint4 *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :: "r"((uint)(size_t)to), "l"(from) : "memory");
}

/// The copies started since the last end belong together.
void end_of_copies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits for all of the work-item's copies except the last `but` groups; a literal number.
#define await_copies(but) asm volatile("cp.async.wait_group %0;" ::"n"(but) : "memory")
