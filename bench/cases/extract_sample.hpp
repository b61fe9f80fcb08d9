#pragma once

#include "bench/scene.hpp"

#include <bowhist/core/image.hpp>
#include <bowhist/extract/extractor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bowhist {

/// Square images of one size, and the host's descriptors of them.
struct ExtractSample {
    Recipe recipe;
    std::unique_ptr<Extractor> extractor;
    std::vector<Image> images = {};
    std::vector<Descriptors> found = {};   ///< of each image, by the last extract()
    std::vector<float> expected = {};      ///< all of them, end to end
    std::vector<std::uint32_t> image = {}; ///< of each descriptor

    /// On the host, an image per thread.
    void extract(int threads);
};

/// Blobs, with about as many keypoints as photographs, for an extractor with its defaults. As many
/// pixels as n descriptors have floats, but at most as many as the program extracts from at a time;
/// on a CPU without a requested n so few that a round keeps to round_seconds.
std::shared_ptr<ExtractSample> make_extract_sample(const Scene &scene,
                                                   const std::string &extractor);

} // namespace bowhist
