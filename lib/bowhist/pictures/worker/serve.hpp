#pragma once

namespace bowhist {

/// Starts workers for the program at the other end of a socket until it hangs up: all that
/// bowhist-decode does. Never returns.
///
/// The process itself only loads the codecs and forks. Each child is a worker: it decodes image
/// after image, within limits of memory, CPU time and output, until one fails. The next worker
/// begins with a memory that no file has touched.
[[noreturn]] void serve_images(int socket);

} // namespace bowhist
