#pragma once

namespace bowhist {

/// The status of a process that could not fork.
constexpr int no_child_could_be_made = 75; // EX_TEMPFAIL

/// Decodes pictures for the program at the other end of a socket until it hangs up: all that
/// bowhist-decode does. Never returns.
///
/// The process itself only loads the codecs and forks. Its child decodes, many pictures, within
/// limits of memory, CPU time and output. After a picture that it cannot decode it leaves, and the
/// next child begins with a memory that no file has touched. A signal that ends the child ends the
/// process with the status 128 + signal.
[[noreturn]] void serve_pictures(int socket);

} // namespace bowhist
