#include <bowhist/group/method_groups.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/divided.hpp>
#include <bowhist/train/kmeans.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// To the nearest of a row's neighbors.
double likeness_to_nearest(const Neighbors &neighbors, std::size_t row) {
    const Neighbor &nearest = neighbors.of(row).front();
    return nearest.product / std::sqrt(static_cast<double>(neighbors.squared_norms[row]) *
                                       static_cast<double>(neighbors.squared_norms[nearest.row]));
}

double lower_fence(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    const double lower = values[(values.size() - 1) / 4];
    const double upper = values[(values.size() - 1) - (values.size() - 1) / 4];
    return lower - 1.5 * (upper - lower);
}

} // namespace

std::vector<bool> find_outliers(const Neighbors &neighbors) {
    const DefaultFloats floats;
    std::vector<bool> chosen(neighbors.size(), false); // by another row
    std::vector<double> likenesses;
    for (std::size_t row = 0; row < neighbors.size(); ++row) {
        for (const Neighbor &one : neighbors.of(row)) chosen[one.row] = true;
        if (!neighbors.of(row).empty()) likenesses.push_back(likeness_to_nearest(neighbors, row));
    }
    const double fence = lower_fence(likenesses);
    std::vector<bool> outliers(neighbors.size());
    for (std::size_t row = 0; row < neighbors.size(); ++row)
        outliers[row] =
            neighbors.squared_norms[row] == 0 || (!neighbors.of(row).empty() && !chosen[row] &&
                                                  likeness_to_nearest(neighbors, row) < fence);
    return outliers;
}

namespace {

constexpr int gathering_iterations = 10; ///< of k-means at most: points need not be exact
constexpr int iterations = 50;           ///< of spherical k-means at most
constexpr int restarts = 5;              ///< the best is kept

/// Rows as k-means takes them, copies included.
Descriptors repeated_rows(const DistinctRows &distinct) {
    const Descriptors unit = unit_rows(distinct.rows);
    Descriptors rows{unit.dimensions, {}};
    for (const std::uint32_t one : distinct.of_row) {
        const auto row = unit.row(one);
        rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
    return rows;
}

/// The words of all rows become those of the distinct ones. Words without rows leave no gaps.
std::vector<std::uint32_t> of_distinct(const DistinctRows &distinct, const Training &training) {
    std::vector<std::uint32_t> labels(distinct.rows.size());
    std::vector<std::uint32_t> number(training.vocabulary.size(), 0);
    std::uint32_t used = 0;
    for (std::size_t row = 0; row < distinct.of_row.size(); ++row) {
        std::uint32_t &own = number[static_cast<std::size_t>(training.words[row])];
        if (own == 0) own = ++used;
        labels[distinct.of_row[row]] = own - 1;
    }
    return labels;
}

/// Words at the means of their rows, brought to unit length; a mean of zeros stays.
void to_unit_length(Vocabulary &vocabulary) {
    for (std::size_t word = 0; word < vocabulary.size(); ++word) {
        float *values = vocabulary.values.data() + word * vocabulary.dimensions;
        double squares = 0;
        for (std::size_t i = 0; i < vocabulary.dimensions; ++i)
            squares += static_cast<double>(values[i]) * values[i];
        if (squares == 0) continue;
        const double norm = std::sqrt(squares);
        for (std::size_t i = 0; i < vocabulary.dimensions; ++i)
            values[i] = static_cast<float>(values[i] / norm);
    }
}

Linkage linkage_of(const GroupRequest &request) {
    return request.method == GroupMethod::ward ? Linkage::ward : Linkage::average;
}

/// k-means gathers the rows around points, and the method groups these, each weighed by its rows.
MethodGroups gathered_groups(const DistinctRows &distinct, const GroupRequest &request,
                             Observer &observer) {
    const std::size_t points = std::max(request.groups, most_gathered_points);
    observer.warning(fmt::format(
        "{} distinct rows are more than the {} that are merged one by one: they are gathered "
        "around {} points first",
        distinct.rows.size(), request.most_linked, points));
    const Descriptors rows = repeated_rows(distinct);
    const Training training = train(rows,
                                    {.k = points,
                                     .seed = request.seed,
                                     .iterations = gathering_iterations,
                                     .start = Start::random,
                                     .rows = "pictures"},
                                    request.choose(points), observer);
    MethodGroups groups;
    groups.report = training.report;
    groups.labels = of_distinct(distinct, training);
    const std::size_t used = std::size_t{std::ranges::max(groups.labels)} + 1;
    if (used <= request.groups) return groups;
    Descriptors centers{rows.dimensions, std::vector<float>(used * rows.dimensions)};
    std::vector<double> weights(used, 0);
    for (std::size_t row = 0; row < distinct.of_row.size(); ++row) {
        const std::uint32_t point = groups.labels[distinct.of_row[row]];
        weights[point] += 1;
        std::ranges::copy(training.vocabulary.row(static_cast<std::size_t>(training.words[row])),
                          centers.values.begin() +
                              static_cast<std::ptrdiff_t>(point * rows.dimensions));
    }
    const auto of_point =
        cut(merge_rows(centers, weights, linkage_of(request), observer), request.groups);
    for (std::uint32_t &label : groups.labels) label = of_point[label];
    return groups;
}

} // namespace

std::uint64_t linkage_bytes(std::uint64_t rows) {
    return rows * rows * sizeof(float);
}

Descriptors unit_rows(const IntegerRows &rows) {
    const DefaultFloats floats;
    Descriptors unit{rows.dimensions, {}};
    unit.values.reserve(rows.values.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double norm = std::sqrt(std::max(1, product(rows.row(i), rows.row(i))));
        for (const std::int16_t value : rows.row(i))
            unit.values.push_back(static_cast<float>(value / norm));
    }
    return unit;
}

MethodGroups leiden_groups(const Graph &graph, const GroupRequest &request, Observer &observer) {
    DividedGraph divided{{}, request.resolution};
    if (request.groups > 0)
        divided = divide_into(graph, request.groups, observer);
    else
        divided.labels = communities(graph, request.resolution, observer);
    MethodGroups groups;
    groups.modularity = modularity(graph, divided.labels, divided.resolution);
    groups.resolution = divided.resolution;
    groups.labels = std::move(divided.labels);
    return groups;
}

MethodGroups linkage_groups(const DistinctRows &rows, const GroupRequest &request,
                            Observer &observer) {
    if (rows.rows.size() > request.most_linked) return gathered_groups(rows, request, observer);
    const std::uint64_t bytes = linkage_bytes(rows.rows.size());
    if (bytes > request.memory)
        throw Error(Fault::input,
                    fmt::format("to merge {} distinct rows takes {} bytes of memory, and {} bytes "
                                "are free; give fewer pictures, or --method leiden",
                                rows.rows.size(), bytes, request.memory));
    MethodGroups groups;
    groups.merges = merge_rows(rows.rows, rows.counts, linkage_of(request), observer);
    groups.labels = cut(groups.merges, request.groups);
    return groups;
}

MethodGroups kmeans_groups(const DistinctRows &rows, const GroupRequest &request,
                           Observer &observer) {
    const Training training = train(repeated_rows(rows),
                                    {.k = request.groups,
                                     .seed = request.seed,
                                     .iterations = iterations,
                                     .restarts = restarts,
                                     .adjust = to_unit_length,
                                     .rows = "pictures"},
                                    request.choose(request.groups), observer);
    MethodGroups groups;
    groups.labels = of_distinct(rows, training);
    groups.report = training.report;
    return groups;
}

} // namespace bowhist
