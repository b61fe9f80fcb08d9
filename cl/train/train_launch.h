// train_launch: what the host and the kernels that train must agree on. OpenCL C and C++.

enum {
    ORDER_GROUP = 256, // work-items of order_by_word.cl
    SUM_GROUP = 64,    // of sum_by_word.cl: one for each dimension of a row
    SUM_ROWS = 128     // that a group adds up
};
