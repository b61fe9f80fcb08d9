#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

namespace bowhist {

/// How the images of a library are described.
struct DescribeOptions {
    StreamOptions stream = {}; ///< threads and limits of images
    LevelRequest level = {};
    bool positions = true;
    bool mirrored = false;    ///< also the words of mirrored descriptors
    int thumbnail_side = 256; ///< pixels; 0: none
    double images = 1;        ///< about how many there are, for auto
};

} // namespace bowhist
