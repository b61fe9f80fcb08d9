#pragma once

#include <tbb/task_group.h>

namespace bowhist {

/// Runs `work` on this thread; its loops of TBB's end whole, or it throws.
///
/// Once a step of a TBB pipeline or loop has thrown, TBB cancels the loops inside the other steps:
/// they return half way, without an exception. A step that writes what its loops make must run
/// whole.
template <typename Work>
void run_whole(const Work &work) {
    tbb::task_group_context alone(tbb::task_group_context::isolated);
    tbb::task_group(alone).run_and_wait(work);
}

} // namespace bowhist
