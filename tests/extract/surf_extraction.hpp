#pragma once

#include <bowhist/extract/surf/surf_extractor.hpp>

namespace bowhist::testing {

inline Recipe recipe(double threshold = 50) {
    Recipe recipe;
    recipe.extractor = "surf";
    recipe.threshold = threshold;
    return recipe;
}

inline Descriptors extract(const Image &image, const Recipe &options) {
    return make_surf_extractor(options)->extract(image);
}

} // namespace bowhist::testing
