// probe_loops: how often loops really run. A compiler or driver may end long ones early, silently.
//
// No compiler can shorten the steps. The host takes the same, and finds how many there were.

#include "probe_launch.h"

/// @param last the number after `outer` times `inner` steps
kernel void probe_loops(const uint outer, const uint inner, global uint *last)
{
    uint number = 1;
    for (uint j = 0; j < outer; j++)
        for (uint i = 0; i < inner; i++) number = NEXT_NUMBER(number);
    *last = number;
}
