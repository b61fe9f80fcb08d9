#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/integer_rows.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/group/linkage.hpp>
#include <bowhist/group/neighbors.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// How finely a graph is divided: a community must hold more than this many times the edges that it
/// would hold were the ends of all edges drawn anew. A ratio of whole numbers, so that comparisons
/// are exact.
struct Resolution {
    static constexpr std::int64_t one = 1'000'000;
    static constexpr std::int64_t most = std::int64_t{1} << 40;

    std::int64_t millionths = one; ///< from 0 to `most`
};

enum class GroupMethod {
    leiden,  ///< communities of the graph of nearest neighbors (docs/adr/0044)
    ward,    ///< Ward's method: merges that add least to the squared distances to the centers
    average, ///< merges of the groups whose images are the nearest on average
    kmeans,  ///< spherical k-means: words of unit length, by the engine that trains vocabularies
};

/// Distinct rows that ward and average merge in one table, of 2 GB at most. The number is fixed, so
/// that groups do not depend on the memory that is free.
inline constexpr std::size_t most_linked_rows = 22'000;

/// Images with more rows are gathered around this many points first.
inline constexpr std::size_t most_gathered_points = 2048;

struct GroupRequest {
    GroupMethod method = GroupMethod::leiden;
    std::size_t groups = 0;     ///< 0: as many as the resolution gives; leiden's alone
    Resolution resolution = {}; ///< leiden's, where `groups` is 0
    /// Leiden's start: each image's group so far, -1 of new ones. Groups keep the number of the one
    /// that they share most images with; a number whose group is gone has no image. Empty: none.
    std::vector<std::int32_t> start = {};
    std::vector<bool> held = {}; ///< images that keep the group of `start`; empty: none
    bool outliers = false;       ///< images that fit nowhere get the group -1
    bool levels = false;         ///< groups within groups, too
    bool tree = false;           ///< and their tree
    std::uint64_t seed = 1;      ///< of k-means' start
    /// Distinct rows that ward and average merge in one table. If there are more, k-means gathers
    /// the images around 2048 points first, and the observer is warned.
    std::size_t most_linked = most_linked_rows;
    /// Bytes that this table may take; one that would take more is an error. Groups do not depend
    /// on it.
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
    /// The level for k words of k-means; called where k-means runs only.
    std::function<LevelChoice(std::size_t k)> choose = {};
    FindNeighbors find_neighbors = &nearest_neighbors; ///< of distinct rows
};

/// A group's size, typical image, spread and words.
struct GroupSummary {
    std::size_t size = 0;
    std::size_t typical = 0; ///< the image nearest to its center; of equal ones the first
    double spread = 0;       ///< the mean of its images' distances to its center
    std::vector<std::uint32_t> words = {}; ///< that set it apart, by find_distinctive_words()
};

/// Images grouped by their rows.
struct Grouping {
    static constexpr std::int32_t nowhere = -1; ///< the group of an image that fits nowhere

    std::vector<std::int32_t> group; ///< each image's; group 0 is the largest
    /// How many have an image.
    std::size_t filled() const;

    std::vector<double> distance; ///< each image's to its group's center; 0 of group -1
    std::size_t groups = 0;       ///< their number, -1 not counted; none is empty but for `start`
    std::vector<GroupSummary> summaries; ///< of each group
    std::vector<std::string> names = {}; ///< of the first groups, where a user named them; else ""
    /// Groups within groups, each level finer than the one before, all than `group`; -1 as there.
    std::vector<std::vector<std::int32_t>> levels = {};
    std::optional<Tree> tree = {};    ///< of all merges, or of the groups and their levels
    std::optional<double> modularity; ///< of leiden's groups, at the resolution that made them
    std::optional<Resolution> resolution = {}; ///< that made them
    AssignmentReport report = {};              ///< of k-means' assignments together, if it ran
};

/// @throws Error{Fault::input} when there are fewer images than groups asked for
void require_enough(std::size_t images, std::size_t groups);

/// Groups images by the directions of their rows; lengths do not count. Equal rows always share a
/// group, so there may be fewer groups than asked for. Groups are numbered by size, the largest
/// first, of equal ones the one whose first image comes first. Distances are those of rows brought
/// to unit length, in float64.
///
/// The same on every machine, for every level, device and number of threads.
/// @throws Error{Fault::input} when there are no rows, or fewer than groups, or where the table of
///         ward and average takes more than request.memory; what `choose` throws
Grouping group_rows(const IntegerRows &rows, const GroupRequest &request, Observer &observer);

/// Places new images: each in the group that most of its nearest have, of equal ones that of the
/// nearest. Its nearest are found among the images that have a group, as many as neighbors_for()
/// says; so its place is the same whatever other new images there are. An image of zeros has no
/// group. The others stay where they are. Numbers stay, too.
///
/// Looks at all pairs of a new image and another, on all threads. The same on every machine.
/// @param groups  each image's group, -1 of those that fit nowhere
/// @param is_new  whether an image is to be placed; its group is not read
Grouping place_rows(const IntegerRows &rows, std::vector<std::int32_t> groups,
                    const std::vector<bool> &is_new, const Observer &observer);

/// "group 3", or "group 3, Lisbon", printable.
std::string title_of(const Grouping &grouping, std::size_t group);

/// How many neighbors of each row the graph has: 10; of fewer than 100 rows, whose lists would join
/// most pairs, √n.
std::size_t neighbors_for(std::size_t rows);

/// Bytes of the table that ward and average take.
std::uint64_t linkage_bytes(std::uint64_t rows);

} // namespace bowhist
