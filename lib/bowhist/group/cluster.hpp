#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

struct ClusterOptions {
    std::size_t groups = 10;
    std::uint64_t seed = 1;
    int iterations = 100; ///< upper bound; histograms are few, so that this costs nothing
};

/// Pictures grouped by their histograms.
struct Grouping {
    std::vector<std::size_t> group; ///< each picture's group; group 0 is the largest
    std::vector<double> distance;   ///< each picture's distance to its group's centre
    AssignmentReport report;        ///< of all assignments together
};

/// k-means over normalised histograms: `features` is images × words, row-major. Groups are numbered
/// by size, the largest first, of equal ones the one whose first picture comes first.
/// @throws Error{Fault::input} when there are fewer pictures than groups
Grouping cluster(std::span<const float> features, std::size_t words, const ClusterOptions &options,
                 const LevelChoice &level, Observer &observer);

} // namespace bowhist
