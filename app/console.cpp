#include "app/console.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <unistd.h>

namespace bowhist::app {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int /*signal*/) {
    stop_requested = 1;
}

void catch_signals() {
    struct sigaction action {};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESETHAND; // a second Ctrl-C ends the program at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace

Console::Console(const ConsoleOptions &options)
    : options_(options), shows_progress_(options.progress == ProgressMode::always ||
                                         (options.progress == ProgressMode::automatic &&
                                          !options.quiet && isatty(STDERR_FILENO) == 1)) {
    spdlog::set_level(options.verbose ? spdlog::level::debug
                      : options.quiet ? spdlog::level::err
                                      : spdlog::level::info);
    catch_signals();
}

Console::~Console() {
    clear_progress();
}

void Console::progress(std::string_view stage, std::size_t done, std::size_t total) {
    using namespace std::chrono_literals;
    if (!shows_progress_) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (done < total && now - last_shown_ < 100ms) return;
    last_shown_ = now;
    const std::string line = fmt::format("{} of {} {}", done, total, stage);
    fmt::print(stderr, "\r{:<{}}", line, shown_width_);
    std::fflush(stderr);
    shown_width_ = line.size();
}

void Console::clear_progress() {
    if (shown_width_ == 0) return;
    fmt::print(stderr, "\r{:{}}\r", "", shown_width_);
    shown_width_ = 0;
}

void Console::note(const std::string &line) {
    const std::lock_guard lock(mutex_);
    if (options_.verbose) clear_progress();
    spdlog::debug(line);
}

void Console::warning(const std::string &line) {
    const std::lock_guard lock(mutex_);
    clear_progress();
    spdlog::warn("warning: {}", line);
}

void Console::skipped(const std::string &reason) {
    const std::lock_guard lock(mutex_);
    clear_progress();
    spdlog::error("skipped {}", reason);
}

bool Console::interrupted() const {
    return stop_requested != 0;
}

} // namespace bowhist::app
