#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// k centroids of `dimensions` floats, row after row. A centroid's row number is its word.
///
/// Every value is finite and there is at least one centroid; tables/vocabulary/vocabulary_file
/// checks it for what comes from outside.
struct Vocabulary {
    std::size_t dimensions = 0;
    std::vector<float> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; } ///< k
    std::span<const float> row(std::size_t j) const {
        return std::span(values).subspan(j * dimensions, dimensions);
    }
};

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

/// How a model was learned.
struct ModelOrigin {
    std::uint64_t seed = 0;
    int iterations = 0;
    double inertia = 0;            ///< over the prepared rows
    std::uint64_t descriptors = 0; ///< that it learned from, without mirrored ones
    std::uint64_t seen = 0;        ///< that these were drawn from
    std::uint64_t images = 0;      ///< that the projection learned from
    std::string version = {};      ///< of bowhist

    bool operator==(const ModelOrigin &) const = default;
};

/// All that makes rows and codes of images: `photos.npz`.
struct VladModel {
    Recipe recipe = {};           ///< of the images' descriptors
    Preparation preparation = {}; ///< of descriptors before words
    Vocabulary words = {};        ///< among prepared rows
    int exponent = 0;             ///< of VladEncoder
    Projection projection = {};   ///< of rows to codes; without axes rows stay whole
    ModelOrigin origin = {};
    std::string fingerprint = {}; ///< of all above but the origin

    bool makes_codes() const { return projection.axes.size() > 0; }
    /// Numbers in an image's row or code.
    std::size_t row_size() const {
        return makes_codes() ? projection.axes.size() : words.values.size();
    }
};

} // namespace bowhist
