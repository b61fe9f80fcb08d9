#pragma once

#include "bench/measurement.hpp"

#include <bowhist/core/recipe.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// Square images, and the number of their descriptors together.
struct ExtractedImages {
    int side = 0; ///< pixels
    double count = 0;
    double descriptors = 0;
};

/// The work of one way of extracting.
struct ExtractWork {
    std::string level; ///< "all", or a kernel by the label of its launches
    Work work;
};

/// "all": pixels to descriptors. Then each of a device's kernels, in the order of their launches:
/// its own inputs and outputs, of all sizes, octaves and layers together. As docs/bench.md counts.
std::vector<ExtractWork> extract_work(const Recipe &recipe, const ExtractedImages &images);

} // namespace bowhist
