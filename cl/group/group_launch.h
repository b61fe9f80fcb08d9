// group_launch: what the host and the kernels that group must agree on. OpenCL C and C++.

enum {
    CODE_SLICE = 64,           // bytes; codes are padded with zeros to whole slices
    CODE_TILE = 64,            // columns that rows are compared with at once; rows, in codes_plain.cl
    PLAIN_GROUP = 8,           // work-items of codes_plain.cl, down and across
    MATRIX_CODE_GROUP = 256,   // of codes_matrix.cl, and rows that it takes
    MATRIX_CODE_TILES = 16,    // tiles of columns that a group of it walks
    MATRIX_CODE_SLICES = 4,    // at most: a group's local memory holds two tiles
    CANDIDATES = 128,          // places for candidates of a row; those of a launch of 64 columns fit
    KEEP_GROUP = 64,           // of keep_nearest.cl
    NO_CANDIDATE = 0x7fffffff, // the number of no row
    MOST_NEIGHBORS = 16        // of a row
};

/// A launch that compares rows [first_row, end_row) with columns [first_column, end_column): whole
/// tiles of them. There are `size` codes in all, and zeros behind them.
typedef struct {
    unsigned first_row;
    unsigned end_row;
    unsigned first_column;
    unsigned end_column;
    unsigned size;
} CodePass;
