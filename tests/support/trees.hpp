#pragma once

#include "tests/support/descriptors.hpp"

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace bowhist::testing {

struct GrownTree {
    VocabularyTree tree;
    Vocabulary words;
};

/// A drawn tree, each node with 1 to `most` children.
inline GrownTree random_tree(std::size_t levels, std::size_t most, std::size_t dimensions,
                             unsigned seed) {
    std::mt19937 random(seed);
    GrownTree grown;
    std::size_t nodes = 1;
    for (std::size_t level = 0; level < levels; ++level) {
        auto &children = grown.tree.children.emplace_back();
        for (std::size_t node = 0; node < nodes; ++node)
            children.push_back(static_cast<std::uint32_t>(1 + random() % most));
        nodes = grown.tree.children_of(level);
        Vocabulary centroids = random_vocabulary(nodes, dimensions, seed + 1000 * (1 + level));
        if (level + 1 < levels)
            grown.tree.inner.push_back(std::move(centroids));
        else
            grown.words = std::move(centroids);
    }
    return grown;
}

/// The word of a row, from the definition: at each level the nearest child, of equal ones the
/// first, by the rule's distances.
inline std::int32_t descended(std::span<const float> row, const VocabularyTree &tree,
                              const Vocabulary &words) {
    std::size_t node = 0;
    for (std::size_t level = 0; level < tree.depth(); ++level) {
        const Vocabulary &nodes = level + 1 < tree.depth() ? tree.inner[level] : words;
        const auto &children = tree.children[level];
        const std::size_t first = std::accumulate(
            children.begin(), children.begin() + static_cast<std::ptrdiff_t>(node), std::size_t{0});
        std::size_t best = first;
        for (std::size_t child = first + 1; child < first + children[node]; ++child)
            if (squared_distance(row, nodes.row(child)) < squared_distance(row, nodes.row(best)))
                best = child;
        node = best;
    }
    return static_cast<std::int32_t>(node);
}

inline std::vector<std::int32_t> descended(const Descriptors &rows, const VocabularyTree &tree,
                                           const Vocabulary &words) {
    std::vector<std::int32_t> found;
    for (std::size_t row = 0; row < rows.size(); ++row)
        found.push_back(descended(rows.row(row), tree, words));
    return found;
}

} // namespace bowhist::testing
