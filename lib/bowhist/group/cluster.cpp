#include <bowhist/assign/rule.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/cluster.hpp>
#include <bowhist/group/ward.hpp>
#include <bowhist/train/kmeans.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

/// Ward's method takes the square of these, 32 MiB. More pictures are gathered around as many first.
constexpr std::size_t most_points = 2048;
constexpr int iterations = 10; ///< of k-means; points need not be exact

/// Where pictures lie, each counted once.
struct Points {
    Descriptors rows;
    std::vector<double> weights;         ///< pictures of each
    std::vector<std::size_t> of_picture; ///< each picture's point
};

/// The centroids that have pictures.
Points points_of(const Training &training) {
    const std::size_t k = training.vocabulary.size();
    Points points{{training.vocabulary.dimensions, {}}, {}, {}};
    std::vector<std::size_t> point_of(k, k);
    for (const std::int32_t word : training.words) {
        std::size_t &point = point_of[static_cast<std::size_t>(word)];
        if (point == k) {
            point = points.weights.size();
            const auto centroid = training.vocabulary.row(static_cast<std::size_t>(word));
            points.rows.values.insert(points.rows.values.end(), centroid.begin(), centroid.end());
            points.weights.push_back(0);
        }
        points.weights[point] += 1;
        points.of_picture.push_back(point);
    }
    return points;
}

/// Groups numbered anew: the largest first, of equal ones the one whose first picture comes first.
std::vector<std::size_t> largest_first(const std::vector<std::size_t> &group) {
    const std::size_t count = std::ranges::max(group) + 1;
    std::vector<std::size_t> size(count, 0);
    std::vector<std::size_t> first(count, group.size());
    for (std::size_t picture = group.size(); picture-- > 0;) {
        ++size[group[picture]];
        first[group[picture]] = picture;
    }
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : first[a] < first[b];
    });
    std::vector<std::size_t> number(count);
    for (std::size_t i = 0; i < count; ++i) number[order[i]] = i;
    std::vector<std::size_t> result;
    for (const std::size_t one : group) result.push_back(number[one]);
    return result;
}

/// Of each group the mean of its pictures.
Vocabulary centres_of(const Descriptors &rows, const std::vector<std::size_t> &group) {
    const std::size_t count = std::ranges::max(group) + 1;
    std::vector<double> sums(count * rows.dimensions, 0);
    std::vector<double> sizes(count, 0);
    for (std::size_t picture = 0; picture < group.size(); ++picture) {
        const auto row = rows.row(picture);
        for (std::size_t i = 0; i < row.size(); ++i)
            sums[group[picture] * row.size() + i] += row[i];
        sizes[group[picture]] += 1;
    }
    Vocabulary centres{rows.dimensions, {}};
    for (std::size_t i = 0; i < sums.size(); ++i)
        centres.values.push_back(static_cast<float>(sums[i] / sizes[i / rows.dimensions]));
    return centres;
}

} // namespace

Grouping cluster(std::span<const float> features, std::size_t words, const ClusterOptions &options,
                 const LevelChoice &level, Observer &observer) {
    const Descriptors rows{words, {features.begin(), features.end()}};
    if (rows.size() == 0)
        throw Error(Fault::input, "there are no pictures to group; give histograms of some");
    if (options.groups == 0 || rows.size() < options.groups)
        throw Error(Fault::input,
                    fmt::format("{} picture{} cannot make {} groups; choose a smaller -k",
                                rows.size(), rows.size() == 1 ? "" : "s", options.groups));
    Grouping grouping;
    if (rows.size() <= most_points) {
        grouping.group = ward(rows, std::vector<double>(rows.size(), 1), options.groups);
    } else {
        const std::size_t k = std::max(options.groups, most_points);
        const Training training = train(rows, {k, options.seed, iterations}, level, observer);
        const Points points = points_of(training);
        grouping.report = training.report;
        grouping.group = points.of_picture;
        if (points.weights.size() > options.groups) {
            const auto group = ward(points.rows, points.weights, options.groups);
            for (std::size_t &one : grouping.group) one = group[one];
        }
    }
    grouping.group = largest_first(grouping.group);
    const Vocabulary centres = centres_of(rows, grouping.group);
    for (std::size_t picture = 0; picture < rows.size(); ++picture)
        grouping.distance.push_back(std::sqrt(
            squared_distance(rows.row(picture), centres.row(grouping.group[picture]))));
    return grouping;
}

} // namespace bowhist
