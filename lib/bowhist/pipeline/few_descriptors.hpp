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

/// The same as require_read(read, left_out) of a run.
void require_read(const InputSummary &run);

/// Throws Error{Fault::input} that says why none of the inputs gave any.
[[noreturn]] void fail_without_descriptors(const InputSummary &run);

} // namespace bowhist
