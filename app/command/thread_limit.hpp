#pragma once

#include <cstddef>
#include <string>

namespace bowhist::app {

/// Finds out how many threads can be made (ulimit -u, a container's pids), and keeps TBB, OpenMP
/// and PoCL to what there is: where a thread that they count on cannot be made, each of them ends
/// the program in its own way. Keeps them, too, to the cores that a quota on CPU time leaves. To be
/// called before any of them has begun.
void find_thread_limit();

/// Keeps to a share of the cores, which that many processes have in common.
void share_cores(std::size_t processes);

/// Lets TBB work with as many threads as were asked for, or as help, or as can be made, and returns
/// their number.
int use_threads(int asked);

/// The threads to use where the user asks for no number: 0, all cores, unless fewer can be made, or
/// a quota on CPU time leaves fewer.
int default_threads();

/// A line about fewer threads than were asked for, or than there are cores; empty when there are as
/// many.
const std::string &thread_warning();

} // namespace bowhist::app
