// transpose_registers: 16 vectors of 16 elements turn in registers, by four perfect shuffles.
//
// A step rotates the eight bits of an element's index, row then column, by one place.

#ifndef ELEMENT
#define ELEMENT float
#endif

#define JOIN_SIXTEEN_NAMES(a, b) a##b
#define JOIN_SIXTEEN(a, b) JOIN_SIXTEEN_NAMES(a, b)
typedef JOIN_SIXTEEN(ELEMENT, 16) Sixteen;

void transpose_registers(Sixteen block[16])
{
#pragma unroll
    for (uint step = 0; step < 4; ++step) {
        Sixteen next[16];
#pragma unroll
        for (uint i = 0; i < 8; ++i) {
            next[i] = (Sixteen)(block[2 * i].even, block[2 * i + 1].even);
            next[i + 8] = (Sixteen)(block[2 * i].odd, block[2 * i + 1].odd);
        }
#pragma unroll
        for (uint i = 0; i < 16; ++i) block[i] = next[i];
    }
}
