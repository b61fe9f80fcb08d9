#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// The sample that an interrupted training had gathered of its inputs, so that it need not read and
/// extract them again.
struct GatheredSample {
    std::string inputs;      ///< fingerprint of the inputs and of all that decides what is drawn
    std::size_t done = 0;    ///< inputs, the first ones of all
    std::size_t skipped = 0; ///< of these, those that could not be used
    std::size_t few = 0;     ///< images with few descriptors
    std::size_t none = 0;    ///< of these, images without descriptors
    std::uint64_t seen = 0;  ///< descriptors that `rows` were drawn from
    std::string draws;       ///< state of the generator that draws on
    Descriptors rows = {};
};

/// A training between two iterations: all that it takes to resume, and to end in the same bytes.
struct TrainingState {
    std::string descriptors; ///< fingerprint of those it learns from
    std::uint64_t seed = 0;
    std::string start;                  ///< name_of(Start)
    int iterations = 0;                 ///< so far
    std::vector<Iteration> course = {}; ///< the first ones, as c.bin.json records them
    Vocabulary before = {};             ///< the centroids that the last iteration assigned by
    Vocabulary centroids = {};          ///< where it put them; without words before the first
    std::optional<GatheredSample> gathered = {};
};

} // namespace bowhist
