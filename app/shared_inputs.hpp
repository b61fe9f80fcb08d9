#pragma once

#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pipeline/output_check.hpp>

namespace bowhist::app {

/// Lets ranks share the inputs in ranges: once listed, they are compared among all ranks, and each
/// rank's range is described. One process alone changes nothing.
/// @param outputs  that rank 0 will write: none may be an input
/// @throws Error{Fault::usage} where they come from standard input, which rank 0 alone has
void share_inputs(InputSource &source, Paths outputs = {});

} // namespace bowhist::app
