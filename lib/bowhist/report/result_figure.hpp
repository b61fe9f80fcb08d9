#pragma once

#include <bowhist/core/image_region.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/search/library_search.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace bowhist {

/// An image with its size, which lines need.
struct SizedImage {
    std::string path = {}; ///< bytes
    PageImage shown = {};
    int width = 0; ///< pixels of the upright original; 0: it cannot be read
    int height = 0;
};

/// The image of a query; its part is outlined.
std::string asked_element(const SizedImage &query, const std::optional<ImageRegion> &region);

/// A result in a grid: its thumbnail, rank and score; if it was checked, how many keypoints agree,
/// in a button with the data of their lines (look/results.js).
std::string result_figure(const SizedImage &asked, const SizedImage &image, std::size_t rank,
                          const FoundImage &found, const std::optional<ImageRegion> &region);

} // namespace bowhist
