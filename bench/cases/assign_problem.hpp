#pragma once

#include "bench/cases/vector_rule.hpp"
#include "bench/measurement.hpp"

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
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
    std::span<const std::int32_t> words(std::size_t rows) {
        constexpr std::size_t slice = 4096; // rows between two checks for Ctrl-C
        std::size_t first = by_rule_.size();
        by_rule_.resize(std::max(rows, first));
        for (; first < rows; first += slice) {
            observer_.stop_if_interrupted();
            const tbb::blocked_range<std::size_t> all(first, std::min(first + slice, rows), 64);
            tbb::parallel_for(all, [&](const auto &range) {
                rule_.find(std::span(descriptors_.values)
                               .subspan(range.begin() * dimensions(), range.size() * dimensions()),
                           std::span(by_rule_).subspan(range.begin(), range.size()));
            });
        }
        return std::span(by_rule_).first(rows);
    }

    /// Words of the first rows that differ from the rule's.
    std::uint64_t mismatches(std::span<const std::int32_t> found) {
        const auto right = words(found.size());
        return std::transform_reduce(found.begin(), found.end(), right.begin(), std::uint64_t{0},
                                     std::plus{}, std::not_equal_to{});
    }

  private:
    const Observer &observer_;
    Vocabulary vocabulary_;
    Descriptors descriptors_;
    VectorRule rule_;
    std::vector<std::int32_t> by_rule_;
};

} // namespace bowhist
