// prepare_launch: what the host and the kernels that prepare rows must agree on. OpenCL C and C++.

enum {
    PROJECT_ROWS = 8 // that a work-item of prepare_project.cl projects
};
