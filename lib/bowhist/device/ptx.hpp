#pragma once

#include <string>
#include <string_view>

namespace bowhist {

// Instructions that NVIDIA's OpenCL compiler cannot assemble, since it always assembles for a
// generic target (wgmma wants sm_90a). A kernel writes them as inline assembly behind a comment
// mark; the program's binary, which is PTX text, keeps the comments; uncovered, it is built once
// more.

/// Whether a kernel's source has lines to uncover.
bool has_covered_ptx(std::string_view source);

/// PTX with its covered lines uncovered, for Hopper's own target:
///     //@ LINE   becomes LINE
///     //^ LINE   becomes LINE in the head of the kernel, after .reqntid
///     .target …  becomes .target sm_90a
/// @throws BuildFailure when this is no PTX with a target
std::string uncovered_ptx(std::string ptx);

} // namespace bowhist
