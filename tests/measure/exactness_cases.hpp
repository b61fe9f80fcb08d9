#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bowhist::measure {

/// Rows that are made, judged and forgotten together.
constexpr std::size_t block_rows = 1U << 19;

/// Words, and n rows for them, block after block.
struct ExactnessCase {
    std::string name;
    std::size_t n = 0;
    Vocabulary words;
    std::function<Descriptors(std::size_t block, std::size_t count)> rows; ///< of block `block`
};

/// The rows of `files` (each once, half of n at most), half of a file's against 256 of them as
/// words, half against 1000; and every kind of tests/support/adversarial.hpp by its weight, up to
/// 70 000 words and 300 dimensions: n rows.
/// @throws Error{Fault::input} for a file that cannot be read, Fault::usage for one without rows
std::vector<ExactnessCase> exactness_cases(std::size_t n, const std::vector<std::string> &files,
                                           unsigned seed);

} // namespace bowhist::measure
