#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/pipeline/run_summary.hpp>

#include <string>

namespace bowhist {

/// Why images have no descriptors: "2 are smaller than the smallest patch, of 16 pixels, 1 is of
/// a single grey". Empty where every image has some.
std::string why_none(const StreamCounts &counts, const Recipe &recipe);

/// Names the options that find more descriptors: "; try a --threshold below 1, a --step below 4 or
/// ...". Empty if no option can find more.
std::string what_finds_more(const Recipe &recipe);

/// Belongs before an output replaces an earlier one. @throws Error{Fault::input} where inputs were
/// skipped or ignored, and none was read
void require_read(std::size_t read, std::size_t left_out);
void require_read(const InputSummary &run);

/// Throws Error{Fault::input} that says why none of the inputs gave any.
[[noreturn]] void fail_without_descriptors(const InputSummary &run);

} // namespace bowhist
