#pragma once

#include <bowhist/core/recipe.hpp>

#include <cstddef>

namespace bowhist {

/// The recipe of a library's words, unless another one is asked for. It stands here alone.
inline Recipe words_recipe() {
    return {.extractor = "surf",
            .threshold = 10,
            .octaves = 3,
            .max_descriptors = 600,
            .spread = 8,
            .max_side = 512,
            .enlarge = true};
}

inline constexpr std::size_t most_library_words = 10'000;
inline constexpr std::size_t keypoints_per_word = 10; ///< fewer words are learned from few

/// The recipe of codes is that of ModelRequest (learn/learn_model.hpp).

} // namespace bowhist
