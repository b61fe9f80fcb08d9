#include "app/command/command.hpp"
#include "app/command/console.hpp"
#include "app/command/last_words.hpp"
#include "app/command/standard_streams.hpp"
#include "app/command/team.hpp"
#include "app/command/thread_limit.hpp"
#include "app/verbs.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/io/free_memory.hpp>

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <system_error>

namespace bowhist::app {
namespace {

int status_of(Fault fault) {
    if (fault == Fault::usage) return 2;
    return fault == Fault::interrupted ? 130 : 3;
}

/// Each image takes and gives back the same few large blocks; keeping them saves the page faults,
/// a twentieth of the time. Freed memory goes back where memory is short.
void keep_large_blocks() {
#ifdef __GLIBC__
    constexpr std::uint64_t ample = std::uint64_t{2} << 30;
    if (free_memory() < ample) return;
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/// OpenCV may bring OpenBLAS, which starts a thread for each core when it is loaded, and ends the
/// program where it cannot. Nothing here needs them.
void keep_blas_to_one_thread() {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1); // before any thread could read the environment
}

int run_verb(const Arguments &arguments) {
    int status = 0;
    try {
        status = dispatch(arguments);
    } catch (const Answered &answered) {
        if (answered.unread) return 0;
    } catch (const std::system_error &) {
        // of fmt::print on a standard output that fails: said below, with the reason
        if (std::ferror(stdout) == 0) throw;
    }
    finish_standard_output();
    return status;
}

Ending ending_of(const Error &error) {
    // An error after the user asked to stop may be due to that: the signal makes LLVM, which
    // compiles kernels, remove its files.
    const bool is_due_to_it = interruption_requested() && error.fault != Fault::interrupted;
    const Error shown = is_due_to_it ? Error(Fault::interrupted, "interrupted") : error;
    const std::string detail = shown.detail.empty() ? "" : "\n" + shown.detail;
    return {status_of(shown.fault), shown.what() + detail};
}

Ending run_to_end(const Arguments &arguments) {
    try {
        join_team_of(arguments);
        return {run_verb(arguments)};
    } catch (const Error &error) {
        return ending_of(error);
    } catch (const std::bad_alloc &) {
        return {status_of(Fault::device),
                "out of memory; give it more (ulimit -v or a container may limit it), or fewer or "
                "smaller inputs"};
    } catch (const std::exception &error) {
        return {status_of(Fault::device),
                fmt::format("unexpected: {}; please report this with the command you ran",
                            error.what())};
    }
}

int run_to_status(const Arguments &arguments) {
    std::signal(SIGXFSZ, SIG_IGN); // what goes beyond a limit of the file's size cannot be written
    std::signal(SIGPIPE, SIG_IGN); // nor to a reader that left; a lost message costs no result
    keep_large_blocks();
    keep_blas_to_one_thread();
    find_thread_limit();
    const Ending ending = end_team(run_to_end(arguments));
    if (!ending.line.empty()) print_message(fmt::format("bowhist: {}\n", ending.line));
    return ending.status;
}

} // namespace

int run(const Arguments &arguments) {
    open_standard_streams();
    keep_last_words();
    const int status = run_to_status(arguments);
    ends_with(status);
    return status;
}

} // namespace bowhist::app
