#include "app/thread_limit.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cstdlib>
#include <latch>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace bowhist::app {
namespace {

int limit = 0; ///< of each library; 0: none
std::string warning;

/// By making them, all at once: no other question is answered alike everywhere.
int makeable(int wanted) {
    std::latch end(1);
    std::vector<std::jthread> made;
    try {
        while (static_cast<int>(made.size()) < wanted) made.emplace_back([&end] { end.wait(); });
    } catch (const std::system_error &) {
        // these are all there are
    }
    end.count_down();
    return static_cast<int>(made.size());
}

/// How many threads each of the three libraries can have when each wants to have `asked`, and each
/// of TBB's a process that decodes for it. Those of TBB and OpenMP include the one that is there;
/// PoCL's do not, and it starts a linker, and the processes come from another one.
int share(int asked) {
    const int made = makeable(4 * asked);
    if (made == 4 * asked) return asked;
    const int without_processes = (made + 1) / 3;
    return std::max(made / 4, std::min(without_processes, 1));
}

void keep_to(int threads) {
    warning = threads > 0
                  ? fmt::format("no more than {} threads can be made here for each task (ulimit "
                                "-u, or the container's limit); working with {}",
                                threads, threads)
                  : "no thread can be made here (ulimit -u, or the container's limit); working "
                    "with one, without OpenCL";
    if (threads > 0)
        ::setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(threads).c_str(), 1);
    else
        ::setenv("OCL_ICD_VENDORS", "/dev/null", 1); // its devices would abort
    limit = std::max(threads, 1);
    // Never destroyed: TBB would raise its limit again, and make threads that cannot be made.
    std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(limit))
        .release();
    omp_set_num_threads(limit);
}

} // namespace

void find_thread_limit() {
    const int cores = omp_get_num_procs();
    const int threads = share(cores);
    if (threads < cores) keep_to(threads);
}

int allowed_threads(int asked) {
    if (limit == 0 && asked > omp_get_num_procs()) {
        const int threads = share(asked);
        if (threads < asked) keep_to(threads);
    }
    return limit == 0 ? asked : std::min(asked, limit);
}

int default_threads() {
    return limit;
}

const std::string &thread_warning() {
    return warning;
}

} // namespace bowhist::app
