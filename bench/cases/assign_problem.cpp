
#include "bench/cases/assign_problem.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace bowhist {

std::span<const std::int32_t> AssignProblem::words(std::size_t rows) {
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

std::uint64_t AssignProblem::mismatches(std::span<const std::int32_t> found) {
    const auto right = words(found.size());
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < found.size(); ++row) count += found[row] != right[row] ? 1 : 0;
    return count;
}

} // namespace bowhist
