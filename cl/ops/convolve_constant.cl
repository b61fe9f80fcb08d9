// convolve_constant: as convolve_basic, with the weights in constant memory.
//
// All work-items of a group want the same weight at the same time, and a cache of constants hands
// it to all at once: 0.5 operations a byte.

#define WEIGHTS constant

#include "convolve_basic.cl"
