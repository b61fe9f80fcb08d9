// launch_image: where an image of a launch lies. OpenCL C and C++.

/// An image among those of a launch, end to end.
typedef struct {
    unsigned pixels; // its first
    int width;
    int height;
} LaunchImage;
