#include "app/command/thread_limit.hpp"
#include "app/command/cpu_quota.hpp"

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <omp.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <latch>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace bowhist::app {
namespace {

int limit = 0; ///< threads that each library can have; 0: as many as it likes
int cores = 1; ///< that there is time for
std::string warning;

/// The cores that the process may run on, or fewer if a quota leaves it less time.
int usable_cores() {
    const double machine = omp_get_num_procs();
    const double quota = std::ceil(cpu_quota().value_or(machine));
    return static_cast<int>(std::clamp(quota, 1.0, machine));
}

/// From now on TBB works with that many threads. The last control is never destroyed: TBB would
/// raise its limit again at the program's end, and make threads that cannot be made.
void hold_tbb_to(int threads) {
    static tbb::global_control *held = nullptr;
    const auto *before =
        std::exchange(held, new tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(threads)));
    delete before;
}

void hold_all_to_cores() {
    hold_tbb_to(cores);
    omp_set_num_threads(cores);
    ::setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(cores).c_str(), 0);
}

/// Counts threads by making them, all at once: no other question is answered alike everywhere.
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
/// of TBB's a process that decodes for it. TBB and OpenMP count the thread that is there; PoCL does
/// not, and it starts a linker, and the processes come from another one.
int share(int asked) {
    const int made = makeable(4 * asked);
    if (made == 4 * asked) return asked;
    const int without_processes = (made + 1) / 3;
    return std::max(made / 4, std::min(without_processes, 1));
}

void keep_to(int threads) {
    warning = threads > 0
                  ? fmt::format("no more than {} can be made here for each task (ulimit -u or -v, "
                                "or the container's limit); working with {}",
                                counted(static_cast<std::size_t>(threads), "thread"), threads)
                  : "no thread can be made here (ulimit -u or -v, or the container's limit); "
                    "working with one, without OpenCL";
    if (threads > 0)
        ::setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(threads).c_str(), 1);
    else
        ::setenv("OCL_ICD_VENDORS", "/dev/null", 1); // its devices would abort
    limit = std::max(threads, 1);
    hold_tbb_to(limit);
    omp_set_num_threads(limit);
}

/// A few more than there are cores help where files are slow to come. Many more cost time.
int useful_threads(int asked) {
    constexpr int for_each_core = 8;
    const int most = for_each_core * cores;
    if (asked <= most) return asked;
    warning = fmt::format("-j {}: more than {} threads cost time on {}{}; working with {}", asked,
                          most, counted(static_cast<std::size_t>(cores), "core"),
                          cores < omp_get_num_procs() ? " (a quota on CPU time)" : "", most);
    return most;
}

} // namespace

void find_thread_limit() {
    cores = usable_cores();
    const int threads = share(cores);
    if (threads < cores)
        keep_to(threads);
    else if (cores < omp_get_num_procs())
        hold_all_to_cores();
}

void share_cores(std::size_t processes) {
    if (processes < 2) return;
    cores = std::max(1, cores / static_cast<int>(processes));
    if (limit > cores) limit = cores;
    hold_all_to_cores();
}

int use_threads(int asked) {
    int threads = useful_threads(asked);
    if (limit == 0 && threads > cores) {
        const int possible = share(threads);
        if (possible < threads) keep_to(possible);
    }
    if (limit > 0) threads = std::min(threads, limit);
    hold_tbb_to(threads);
    return threads;
}

int default_threads() {
    if (limit > 0) return limit;
    return cores < omp_get_num_procs() ? cores : 0;
}

const std::string &thread_warning() {
    return warning;
}

} // namespace bowhist::app
