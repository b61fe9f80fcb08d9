#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

struct ClusterOptions {
    std::size_t groups = 10;
    std::uint64_t seed = 1; ///< of the start of k-means
};

/// Pictures grouped by their histograms.
struct Grouping {
    std::vector<std::size_t> group; ///< each picture's group; group 0 is the largest
    std::vector<double> distance;   ///< each picture's distance to its group's centre
    AssignmentReport report;        ///< of all assignments together; of fewer pictures none
};

/// Ward's groups of normalised histograms (ward.hpp): `features` is images × words, row-major. More
/// than 2048 pictures become the centroids of k-means first, and those are grouped, each weighed by
/// its pictures; more than 2048 groups are k-means' own. Groups are numbered by size, the largest
/// first, of equal ones the one whose first picture comes first. Equal histograms share a group, so
/// there may be fewer than asked for.
/// @param level  assigns for k-means
/// @throws Error{Fault::input} when there are fewer pictures than groups
Grouping cluster(std::span<const float> features, std::size_t words, const ClusterOptions &options,
                 const LevelChoice &level, Observer &observer);

} // namespace bowhist
