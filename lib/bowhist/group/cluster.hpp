#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// Ward's method needs 8 bytes for each pair of these, 32 MiB. More images are gathered first.
inline constexpr std::size_t most_ward_points = 2048;

struct ClusterOptions {
    std::size_t groups = 10;
    std::uint64_t seed = 1; ///< of the start of k-means
};

/// Images grouped by their histograms.
struct Grouping {
    std::vector<std::size_t> group; ///< each image's group; group 0 is the largest
    std::vector<double> distance;   ///< each image's distance to its group's center
    std::size_t groups = 0;         ///< their number; no group is empty
    AssignmentReport report;        ///< of k-means' assignments together, if it ran
};

/// Ward's groups of normalized histograms (docs/adr/0032): `features` is images × words, row-major,
/// finite. More than 2048 images are gathered around 2048 words of k-means first, and these are
/// grouped, each weighed by its images; 2048 groups and more are k-means' own words. Groups are
/// numbered by size, the largest first, of equal ones the one whose first image comes first.
/// Equal histograms share a group, so there may be fewer than asked for.
/// @param choose  the level for k words of k-means; called for more than 2048 images only
/// @throws Error{Fault::input} when there are fewer images than groups; what `choose` throws
Grouping cluster(std::span<const float> features, std::size_t words, const ClusterOptions &options,
                 const std::function<LevelChoice(std::size_t k)> &choose, Observer &observer);

} // namespace bowhist
