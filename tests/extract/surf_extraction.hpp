#pragma once

#include <bowhist/extract/surf/surf_extractor.hpp>

namespace bowhist::testing {

inline Recipe recipe(double threshold = 50) {
    return {.extractor = "surf", .threshold = threshold};
}

inline Descriptors extract(const Image &image, const Recipe &options) {
    return make_surf_extractor(options)->extract(image);
}

} // namespace bowhist::testing
