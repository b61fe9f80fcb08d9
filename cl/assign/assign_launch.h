// assign_launch: what the host and the kernels that assign words must agree on. OpenCL C and C++.
//
// The library is built with it, so that a --kernel-dir with another one is refused.

enum {
    DECIDE_GROUP = 64, // work-items of a group, of each kernel
    CONTEST_GROUP = 128,
    COUNT_GROUP = 512,
    CROWD_GROUP = 256,
    CROWD_TILES = 2, // of 16 rows, of a group of crowd.cl
    CROWD_ROWS = 16 * CROWD_TILES,
    MATRIX_GROUP = 256,
    WARP = 32,
    MATRIX_BLOCK = 32, // centroids that gpu7.cl ranks at a time: four tiles of eight
    MATRIX_TILES = 4,
    MATRIX_CHUNK = 2, // blocks that local memory holds at once, twice
    WARPGROUP = 128,
    WGMMA_GROUP = 2 * WARPGROUP,
    WGMMA_TILE = 64,   // centroids
    WGMMA_SLAB = 64,   // dimensions of a tile that lie together: rows of 128 bytes
    WGMMA_DIMENSIONS = 2 * WGMMA_SLAB, // at most
    WGMMA_SPAN = 64,   // tiles whose groups are numbered in the nine bits beside a score
    WGMMA_REACH = 4,   // descriptors may be this many times longer than the centroids
    PROBE_WORDS = 64,  // of probe_matrix.cl and probe_wgmma.cl
    CPU_LANES = 16,        // descriptors or centroids that a CPU's kernel has side by side
    CPU_INTEGER_ROWS = 48, // of gpu6_cpu_16bit.cl: three vectors of CPU_LANES
    TILE_PATCH_ROWS = 8,    // that a work-item of gpu6.cl has
    PACK_GROUP = 64    // of pack_matrix.cl and pack_tiles.cl
};

// The extent of centroids that a device moved (packing.cl), as the bits of floats.
enum {
    EXTENT_NORM,     // the largest |c|
    EXTENT_ROUNDED,  // MatrixPass's centroid_norm, before it is rounded up
    EXTENT_RESIDUAL, // and its centroid_residual
    EXTENT_LOWEST,   // WgmmaPass's lowest
    EXTENT_SIZE
};

// The shape of gpu7_wgmma.cl by the dimensions of its descriptors, which it keeps in registers.
#define WGMMA_SLABS(dimensions) ((dimensions) > WGMMA_SLAB ? 2 : 1)
#define WGMMA_STEPS(dimensions) (4 * WGMMA_SLABS(dimensions)) // of 16; one more adds the start
#define WGMMA_PARTS(dimensions) (2 / WGMMA_SLABS(dimensions)) // of 64 descriptors, a warpgroup
#define WGMMA_STAGES(dimensions) (4 / WGMMA_SLABS(dimensions)) // tiles that local memory holds
#define WGMMA_ROWS(dimensions) (WGMMA_GROUP / WARPGROUP * 64 * WGMMA_PARTS(dimensions))
#define WGMMA_GROUPS_A_UNIT 2 // that registers and local memory suffice for
#define MATRIX_NOTHING (-1.7e38f)    // the start where there is no centroid: no score is lower

// Local memory of a group of gpu6.cl: two slices of its rows and columns, then what its work-items
// meet with. Rows are padded, so that transposing stores land in different banks.
#define TILE_ROW_STRIDE(rows) ((rows) + 4)
#define TILE_SLICE_FLOATS(rows, columns, slice) (2 * (slice) * (TILE_ROW_STRIDE(rows) + (columns)))
#define TILE_MEETING_FLOATS(rows, across) (3 * (across) * (rows))

// Every kernel reads the number of descriptors from a buffer: the host need not know what was counted
// on the device, and launches over the most that there may be.

/// A launch of the ladder: centroids [first, first + count) of k.
typedef struct {
    unsigned capacity; // descriptors that there is room for: from one dimension's to the next's
    unsigned k;
    unsigned first;
    unsigned count;
    float relative; // bound on the error of a distance: relative * distance + absolute / 2
    float absolute;
} LadderPass;

/// The nearest centroid so far, and how near the runner-up came.
typedef struct {
    float best;
    float second;
    int word;
    int last; // the word seen last
} Candidate;

/// A launch that finds the greatest float32 score of k centroids.
typedef struct {
    unsigned n; // descriptors; the kernel sets it
    unsigned k;
    float margin; // best - second > margin + norm * (linear + norm * quadratic) proves the best
    float linear;
    float quadratic;
    float largest_norm; // above it a score might overflow: nothing is proven
} ScorePass;

/// Scales and bounds of integer scores: coefficients of the margin by which the best must lead.
typedef struct {
    float scale;     // from a centroid to its integers
    float length;    // of the longest centroid in integers
    float half_norm; // of the longest centroid itself
    float base;
    float residual;    // of what rounding the row changed
    float linear;      // of the row's norm in integers
    float quadratic;   // of that times the row's norm
    float per_scale;   // of the row's scale
    float longest_row; // the most that a row's norm in integers, a score, and a scale may be
    float largest_score;
    float largest_scale;
    int number_mask; // the low bits of a score that hold the word's number
} IntegerPass;

/// A launch of gpu7.cl or crowd.cl. Its bounds are of scaled scores and norms.
typedef struct {
    unsigned n; // descriptors; the kernel sets it
    unsigned k;
    unsigned blocks;         // a multiple of MATRIX_CHUNK; filled up with scores of MATRIX_NOTHING
    float scale;             // a power of two that brings the centroids into fp16's range
    float centroid_norm;     // the largest |c^|, of the rounded centroids
    float centroid_residual; // the largest |c - c^|
    float half_square;       // the largest |c|^2/2
    float rounding;          // of sums in the matrix unit, relative to their largest term
    float bound_scale;       // 1; tests plant less
} MatrixPass;

/// The same of gpu7_wgmma.cl.
typedef struct {
    unsigned n;
    unsigned k;
    unsigned tiles;
    float scale;   // as in MatrixPass, as are the others of the same name
    float longest; // norms of descriptors for which all scores share an exponent
    float centroid_norm;
    float centroid_residual;
    float half_square;
    float rounding;
    float unit;   // in the last place of a score
    float lowest; // a power of two below every score
    float bound_scale;
} WgmmaPass;
