// convolve_constant: as convolve_basic, with the weights in constant memory, whose cache hands one to
// all work-items of a group at once.

#define WEIGHTS constant

#include "convolve_basic.cl"
