// train_launch: what the host and the kernels that train must agree on. OpenCL C and C++.

enum {
    ORDER_GROUP = 256,    // work-items of order_by_word.cl
    ORDER_ROWS = 4096,    // that a group orders
    ORDER_WORDS = 4096,   // that it counts for itself; of more, each row counts on its own
    SUM_GROUP = 64,       // of sum_by_word.cl: one for each dimension of a row
    SUM_ROWS = 256,       // that a group adds up
    SUM_AHEAD = 8,        // that are on their way at once
    ADD_GROUP = 256,      // of add_words.cl
    MOVE_GROUP = 64,      // of move_words.cl
    FARTHEST_GROUP = 256, // of farthest_rows.cl, and rows that it takes
    CHOOSE_GROUP = 256,   // of choose_rows.cl, and rows of a chunk
    CHOOSE_DRAWS = 8,     // rows that are drawn at once
    CHOOSE_BLOCK = 16,    // rows that lie side by side
    // Its launches hand on how many numbers were used up, and each draw's gain, of 64 bits.
    CHOOSE_USED = 0,
    CHOOSE_GAINS = 2,
    CHOOSE_STATE = CHOOSE_GAINS + 2 * CHOOSE_DRAWS,
    // The record of an iteration that the host reads, numbers of 32 bits. The first ones are the
    // extent of the moved centroids (assign_launch.h).
    RECORD_MOVED = 4, // descriptors whose word changed
    RECORD_EMPTY,     // words that have no descriptor
    RECORD_BROKEN,    // descriptors that are not where they were counted
    RECORD_UNPROVEN,  // that the rule decided
    RECORD_EXPLAINED  // from here on 64-bit floats: each word's part of the inertia
};
