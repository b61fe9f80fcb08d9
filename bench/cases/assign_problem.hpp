#pragma once

#include "bench/cases/vector_rule.hpp"
#include "bench/measurement.hpp"

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Descriptors and words that all rows of a table share, and the right words by the rule.
class AssignProblem {
  public:
    AssignProblem(Descriptors descriptors, Vocabulary vocabulary, const Observer &observer)
        : observer_(observer), vocabulary_(std::move(vocabulary)),
          descriptors_(std::move(descriptors)), rule_(vocabulary_) {}

    std::size_t k() const { return vocabulary_.size(); }
    std::size_t dimensions() const { return vocabulary_.dimensions; }
    std::size_t most_rows() const { return descriptors_.size(); }
    const Descriptors &descriptors() const { return descriptors_; }
    const Vocabulary &vocabulary() const { return vocabulary_; }
    Batch batch(std::size_t rows) const {
        return {std::span(descriptors_.values).first(rows * dimensions()), {}, 1};
    }

    /// A row on all of it.
    Subject subject(const std::string &level, bool on_device) const {
        return {.level = level,
                .place = on_device ? Place::device : Place::host,
                .n = most_rows(),
                .k = k(),
                .d = dimensions()};
    }

    /// The rule's words of the first rows, computed once by all cores.
    std::span<const std::int32_t> words(std::size_t rows);

    /// Words of the first rows that differ from the rule's.
    std::uint64_t mismatches(std::span<const std::int32_t> words);

  private:
    const Observer &observer_;
    Vocabulary vocabulary_;
    Descriptors descriptors_;
    VectorRule rule_;
    std::vector<std::int32_t> by_rule_;
};

} // namespace bowhist
