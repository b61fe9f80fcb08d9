// probe_launch: what the host and the kernels of the premises must agree on. OpenCL C and C++.

enum {
    FLOAT32_RESULTS = 4, // sum, difference, product, product and sum
    FLOAT64_RESULTS = 8, // the same, quotient, root, a float32 widened, an integer converted
    PROBE_PAIRS = 512    // operands
};

#define NEXT_NUMBER(number) (1664525u * (number) + 1013904223u) // Numerical Recipes' generator
