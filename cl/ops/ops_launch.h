// ops_launch: what the host and the kernels of operations must agree on. OpenCL C and C++.
//
// The library is built with it, so that a --kernel-dir with another one is refused.

/// Elements of local memory for a tree of sums: one is free after every 32 leaves.
#define TREE_ROOM(leaves) ((leaves) + (leaves) / 32 + 1)

/// Images of width x height elements, end to end; their rows and the transposed rows lie at pitches.
typedef struct {
    unsigned width;
    unsigned height;
    unsigned in_pitch;
    unsigned out_pitch;
    unsigned count;
} TransposeLayout;

typedef struct {
    unsigned rows;
    unsigned width;      // elements in of a row
    unsigned last_width; // of the last row
    unsigned extra;      // 1: a row's total follows its (exclusive) sums; else 0
    unsigned inclusive;  // whether an element is part of its own sum
    unsigned carried;    // whether each row starts with a carry
    unsigned in_pitch;   // elements from a row's start to the next
    unsigned out_pitch;
} ScanRows;

typedef struct {
    unsigned size;  // elements of the vector
    unsigned chunk; // elements of a chunk; the last may have fewer
} Chunks;

typedef struct {
    unsigned width;     // pixels of a row
    unsigned height;    // rows of an image
    unsigned in_pitch;  // pixels from a row's start to the next
    unsigned out_pitch; // sums, likewise
    unsigned bands;     // of an image
    unsigned band;      // rows of a band; the last may have fewer
} Bands;

typedef struct {
    unsigned width;
    unsigned height;
    unsigned pitch;
} HistogramImage;

typedef struct {
    unsigned width;   // pixels of a row
    unsigned vectors; // of a row, the last perhaps not whole
    unsigned height;  // rows of an image
    unsigned in_pitch;
    unsigned out_pitch;
    unsigned run; // vectors a group
} ByteRows;

/// Images of one size, end to end: `rows` is that of all of them together. A row starts `pitch`
/// floats after the one before it; what lies behind `width` is never used.
typedef struct {
    int width;
    int height;
    int rows;
    int in_pitch;
    int out_pitch;
} ImageLayout;

/// The weights of a row or a column: FILTER_WIDTH or FILTER_HEIGHT of them count.
typedef struct {
    float at[31];
} Weights;

/// The images, end to end, and how they are shared out: each column is cut into segments.
typedef struct {
    unsigned width;
    unsigned height;
    unsigned in_pitch;
    unsigned out_pitch;
    unsigned count;
    unsigned segments;     // of a column
    unsigned segment_rows; // of all but the last
    unsigned state_pitch;  // floats of one number of a segment's states
} GaussianCut;

/// The filter, the same upwards and downwards; [2]: its two waves.
typedef struct {
    float pole_real[2];
    float pole_imaginary[2];
    float weight_real[2];
    float weight_imaginary[2];
    float settled_real[2]; // z on a line of ones, for ever
    float settled_imaginary[2];
    float half_center;
} Gaussian;

/// A pole to the power of a number of rows, for both waves.
typedef struct {
    float real[2];
    float imaginary[2];
} Power;
