// launch_keypoint: where a descriptor was taken, as core/descriptors.hpp has it. OpenCL C and C++.

typedef struct {
    float x; // pixels; whole numbers are the middles of pixels
    float y;
    float scale;
    float orientation;
    float response;
} LaunchKeypoint;
