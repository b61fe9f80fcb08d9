#pragma once

#include "bench/scene.hpp"

#include <bowhist/core/image.hpp>
#include <bowhist/extract/extractor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bowhist {

/// Square pictures of one size, and what the host makes of them.
struct ExtractSample {
    Recipe recipe;
    std::unique_ptr<Extractor> extractor;
    std::vector<Image> pictures = {};
    std::vector<Descriptors> found = {};     ///< of each picture, by the last extract()
    std::vector<float> expected = {};        ///< all of them, end to end
    std::vector<std::uint32_t> picture = {}; ///< of each

    /// On the host, a picture per thread.
    void extract(int threads);
};

/// Blobs, with about as many keypoints as photographs; by the extractor of that name with its
/// defaults. Of as many pixels as n descriptors have floats, but no more than the program extracts
/// from at a time; where n is not asked for, on a CPU, so few that a round keeps to round_seconds.
std::shared_ptr<ExtractSample> make_extract_sample(const Scene &scene,
                                                   const std::string &extractor);

} // namespace bowhist
