#pragma once

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

} // namespace bowhist::testing
