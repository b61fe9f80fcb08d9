#include <bowhist/core/counted.hpp>
#include <bowhist/core/default_floats.hpp>
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

constexpr int iterations = 10; ///< of k-means at most: points need not be exact

/// Points that stand for one image or many.
struct Points {
    Descriptors rows;
    std::vector<double> weights;       ///< images of each
    std::vector<std::size_t> of_image; ///< each image's point
};

/// The centroids that have images.
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
        points.of_image.push_back(point);
    }
    return points;
}

/// Renumbers groups: the largest first, of equal ones the one whose first image comes first.
std::vector<std::size_t> largest_first(std::vector<std::size_t> group) {
    const std::size_t count = std::ranges::max(group) + 1;
    std::vector<std::size_t> size(count, 0);
    std::vector<std::size_t> first(count, group.size());
    for (std::size_t image = group.size(); image-- > 0;) {
        ++size[group[image]];
        first[group[image]] = image;
    }
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : first[a] < first[b];
    });
    std::vector<std::size_t> number(count);
    for (std::size_t i = 0; i < count; ++i) number[order[i]] = i;
    for (std::size_t &one : group) one = number[one];
    return group;
}

/// Each image's distance to the mean of its group.
std::vector<double> distances(const Descriptors &rows, const std::vector<std::size_t> &group) {
    const std::size_t count = std::ranges::max(group) + 1;
    std::vector<double> means(count * rows.dimensions, 0);
    std::vector<double> sizes(count, 0);
    for (std::size_t image = 0; image < group.size(); ++image) {
        const auto row = rows.row(image);
        double *sums = means.data() + group[image] * row.size();
        for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
        sizes[group[image]] += 1;
    }
    for (std::size_t i = 0; i < means.size(); ++i) means[i] /= sizes[i / rows.dimensions];
    std::vector<double> result;
    for (std::size_t image = 0; image < group.size(); ++image) {
        const auto row = rows.row(image);
        const double *mean = means.data() + group[image] * row.size();
        double squares = 0;
        for (std::size_t i = 0; i < row.size(); ++i)
            squares += (row[i] - mean[i]) * (row[i] - mean[i]);
        result.push_back(std::sqrt(squares));
    }
    return result;
}

} // namespace

Grouping cluster(std::span<const float> features, std::size_t words, const ClusterOptions &options,
                 const std::function<LevelChoice(std::size_t k)> &choose, Observer &observer) {
    const DefaultFloats floats;
    const Descriptors rows{words, {features.begin(), features.end()}};
    if (rows.size() == 0)
        throw Error(Fault::input, "there are no pictures to group; give histograms of some");
    if (options.groups == 0 || rows.size() < options.groups)
        throw Error(Fault::input, fmt::format("{} cannot make {} groups; choose a smaller -k",
                                              counted(rows.size(), "picture"), options.groups));
    Grouping grouping;
    if (rows.size() <= most_ward_points) {
        grouping.group = ward(rows, std::vector<double>(rows.size(), 1), options.groups, observer);
    } else {
        const std::size_t k = std::max(options.groups, most_ward_points);
        const Training training = train(rows,
                                        {.k = k,
                                         .seed = options.seed,
                                         .iterations = iterations,
                                         .start = Start::random,
                                         .rows = "pictures"},
                                        choose(k), observer);
        const Points points = points_of(training);
        grouping.report = training.report;
        grouping.group = points.of_image;
        if (points.weights.size() > options.groups) {
            const auto of_point = ward(points.rows, points.weights, options.groups, observer);
            for (std::size_t &one : grouping.group) one = of_point[one];
        }
    }
    grouping.group = largest_first(std::move(grouping.group));
    grouping.groups = std::ranges::max(grouping.group) + 1;
    grouping.distance = distances(rows, grouping.group);
    return grouping;
}

} // namespace bowhist
