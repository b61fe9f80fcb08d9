#pragma once

#include "bench/cases/vector_rule.hpp"

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/descriptors.hpp>

#include <tbb/parallel_for.h>

#include <cstdint>
#include <vector>

namespace bowhist::testing {

/// The rule itself, row by row, on all cores.
inline std::vector<std::int32_t> words_by_rule(const Descriptors &descriptors,
                                               const Vocabulary &vocabulary) {
    std::vector<std::int32_t> words(descriptors.size());
    tbb::parallel_for(std::size_t{0}, words.size(), [&](std::size_t row) {
        words[row] = nearest(descriptors.row(row), vocabulary);
    });
    return words;
}

/// What the bench holds words to.
inline std::vector<std::int32_t> words_by_vector_rule(const Descriptors &descriptors,
                                                      const Vocabulary &vocabulary) {
    std::vector<std::int32_t> words(descriptors.size(), -1);
    VectorRule(vocabulary).find(descriptors.values, words);
    return words;
}

} // namespace bowhist::testing
