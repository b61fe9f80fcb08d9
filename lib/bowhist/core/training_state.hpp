#pragma once

#include <bowhist/core/iteration.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// A training between two iterations: all that it takes to go on, and to end in the same bytes.
struct TrainingState {
    std::string descriptors; ///< fingerprint of those it learns from
    std::uint64_t seed = 0;
    std::string start;                  ///< name_of(Start)
    int iterations = 0;                 ///< so far
    std::vector<Iteration> course = {}; ///< their first ones, as c.bin.json tells them
    Vocabulary before = {};             ///< the centroids that the last iteration assigned by
    Vocabulary centroids = {};          ///< where it put them
};

} // namespace bowhist
