// probe_loops: how often loops really run. A compiler or driver may end long ones early, silently.
//
// Each step changes a number in a way that no compiler can shorten. The host takes the same steps,
// and finds how many there were.

#include "probe_launch.h"

/// @param last the number after `outer` times `inner` steps
kernel void probe_loops(const uint outer, const uint inner, global uint *last)
{
    uint number = 1;
    for (uint j = 0; j < outer; j++)
        for (uint i = 0; i < inner; i++) number = NEXT_NUMBER(number);
    *last = number;
}
