#include <bowhist/assign/rule.hpp>
#include <bowhist/bench/assign_problem.hpp>

#include <algorithm>

namespace bowhist {

std::span<const std::int32_t> AssignProblem::words(std::size_t rows) {
    constexpr std::size_t slice = 4096; // rows between two looks at Ctrl-C
    std::size_t first = by_rule_.size();
    by_rule_.resize(std::max(rows, first));
    for (; first < rows; first += slice) {
        observer_.stop_if_interrupted();
        const std::size_t last = std::min(first + slice, rows);
#pragma omp parallel for
        for (std::size_t row = first; row < last; ++row)
            by_rule_[row] = nearest(descriptors_.row(row), vocabulary_);
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
