#include <bowhist/assign/rule.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/group/cluster.hpp>
#include <bowhist/train/kmeans.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

/// For each word its place when words are sorted by how many rows they have.
std::vector<std::size_t> places_by_size(const std::vector<std::int32_t> &words, std::size_t k) {
    std::vector<std::size_t> size(k, 0);
    std::vector<std::size_t> first_row(k, words.size());
    for (std::size_t row = words.size(); row-- > 0;) {
        ++size[static_cast<std::size_t>(words[row])];
        first_row[static_cast<std::size_t>(words[row])] = row;
    }
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : first_row[a] < first_row[b];
    });
    std::vector<std::size_t> place(k);
    for (std::size_t p = 0; p < k; ++p) place[order[p]] = p;
    return place;
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
    const Training training = train(
        rows, {options.groups, options.seed, options.iterations, Start::greedy}, level, observer);
    const auto place = places_by_size(training.words, options.groups);
    Grouping grouping;
    grouping.report = training.report;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto word = static_cast<std::size_t>(training.words[row]);
        grouping.group.push_back(place[word]);
        grouping.distance.push_back(
            std::sqrt(squared_distance(rows.row(row), training.vocabulary.row(word))));
    }
    return grouping;
}

} // namespace bowhist
