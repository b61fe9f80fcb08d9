#pragma once

#include <string>

namespace bowhist::app {

/// Finds out how many threads can be made (ulimit -u, a container's pids), and keeps TBB, OpenMP
/// and PoCL to what there is: where a thread that they count on cannot be made, each of them ends
/// the program in its own way. To be called before any of them has begun.
void find_thread_limit();

/// As many threads as were asked for, or as can be made.
int allowed_threads(int asked);

/// The threads to use where nobody asked for any: 0, all cores, unless fewer can be made.
int default_threads();

/// What to tell of it; empty when nothing is limited.
const std::string &thread_warning();

} // namespace bowhist::app
