#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace bowhist {

/// The inner nodes of a vocabulary tree (Nistér and Stewénius 2006), whose leaves are the words of
/// a vocabulary.
///
/// Level 0 is the root, and level `depth()` the words. The children of a node lie side by side on
/// the next level, in the order of their parents. So all words below a node are neighbors, too.
struct VocabularyTree {
    static constexpr std::size_t most_levels = 20; ///< of two branches each: 2²⁰ words

    /// How many children each node of a level has, at least 1; of the levels 0 … depth() - 1.
    std::vector<std::vector<std::uint32_t>> children;
    /// The centroids of the levels 1 … depth() - 1; those of the last level are the words.
    std::vector<Vocabulary> inner;
    std::string fingerprint = {}; ///< of the file; empty where it was not written or read

    std::size_t depth() const { return children.size(); }
    /// Nodes of the next level.
    std::size_t children_of(std::size_t level) const {
        return std::accumulate(children[level].begin(), children[level].end(), std::size_t{0});
    }
    std::size_t words() const { return children_of(depth() - 1); }
};

} // namespace bowhist
