#pragma once

#include <bowhist/extract/surf/surf_extractor.hpp>

namespace bowhist::testing {

inline Recipe recipe(double threshold = 50) {
    return {.extractor = "surf", .threshold = threshold};
}

inline Descriptors extract(const Image &image, const Recipe &options) {
    return make_surf_extractor(options)->extract(image);
}

/// Ten pixels apart, down and across: keypoints that are equally strong.
inline Image dots(int width, int height) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.pixels.push_back(x % 10 < 4 && y % 10 < 4 ? 250 : 20);
    return image;
}

} // namespace bowhist::testing
