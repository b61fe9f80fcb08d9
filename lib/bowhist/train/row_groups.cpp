#include <bowhist/train/row_groups.hpp>

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/train/train_launch.hpp>
#include <bowhist/train/word_distances.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// Appends a group's rows and their words.
void measure(const RowGroup &group, const Descriptors &all, const Vocabulary &centroids,
             const ReadWords &read_words, Descriptors &rows, std::vector<std::int32_t> &words) {
    const std::size_t dimensions = all.dimensions;
    const auto its_rows =
        std::span(all.values).subspan(group.first * dimensions, group.size * dimensions);
    rows.values.insert(rows.values.end(), its_rows.begin(), its_rows.end());
    words.resize(words.size() + group.size);
    const auto its_words = std::span(words).last(group.size);
    const Device &device = read_words(group, its_words);
    double farthest = 0;
    for (std::size_t i = 0; i < group.size; ++i)
        farthest = std::max(
            farthest, squared_distance(all.row(group.first + i),
                                       centroids.row(static_cast<std::size_t>(its_words[i]))));
    if (farthest != group.distance)
        throw broken_kernel(device, device.info().name + " measures other distances than the host");
}

} // namespace

bool pays_by_groups(std::size_t count, std::size_t rows) {
    return count * FARTHEST_GROUP <= rows / 8;
}

FarRows far_rows_in(std::vector<RowGroup> groups, std::size_t count, const Descriptors &all,
                    const Vocabulary &centroids, const ReadWords &read_words) {
    std::ranges::stable_sort(groups, std::greater(), &RowGroup::distance);
    groups.resize(count);
    std::ranges::sort(groups, {}, &RowGroup::first);
    Descriptors rows{all.dimensions, {}};
    std::vector<std::int32_t> words;
    for (const RowGroup &group : groups) measure(group, all, centroids, read_words, rows, words);
    return far_rows(RowsInMemory(rows), words, centroids, count);
}

} // namespace bowhist
