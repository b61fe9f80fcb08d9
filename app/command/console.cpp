#include "app/command/console.hpp"
#include "app/command/standard_streams.hpp"
#include "app/command/team.hpp"
#include "app/command/thread_limit.hpp"

#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/device/drivers/trial.hpp>
#include <bowhist/library/file/library_file.hpp>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace bowhist::app {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int /*signal*/) {
    if (stop_requested != 0) _exit(130); // asked twice: at once, whatever is left behind
    stop_requested = 1;
}

/// A signal that the parent process ignores (nohup does so) stays ignored.
void catch_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = request_stop;
        sigaction(signal, &action, nullptr);
    }
}

using Sink = spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex>;

std::shared_ptr<spdlog::logger> make_logger(const ConsoleOptions &options) {
    auto logger = std::make_shared<spdlog::logger>("bowhist", std::make_shared<Sink>(messages()));
    const bool speaks = team().rank() == 0 || options.verbose;
    logger->set_pattern(team().size() > 1 && options.verbose
                            ? fmt::format("%n: rank {}: %v", team().rank())
                            : "%n: %v");
    logger->set_level(!speaks           ? spdlog::level::off
                      : options.verbose ? spdlog::level::debug
                      : options.quiet   ? spdlog::level::err
                                        : spdlog::level::info);
    logger->set_error_handler(
        [](const std::string & /*reason*/) {}); // there is no other place to report it
    return logger;
}

/// "9 s", "2 min 5 s", "1 h 3 min"
std::string duration_text(double seconds) {
    constexpr long minute = 60;
    constexpr long hour = 60 * minute;
    const long whole = std::lround(seconds);
    if (whole < minute) return fmt::format("{} s", whole);
    if (whole < hour) return fmt::format("{} min {} s", whole / minute, whole % minute);
    return fmt::format("{} h {} min", whole / hour, whole % hour / minute);
}

} // namespace

std::string Pace::line(std::string_view stage, std::size_t done, std::size_t total,
                       Clock::time_point now) {
    if (stage != stage_ || done < last_) {
        stage_ = stage;
        start_ = now;
        first_ = done;
    }
    last_ = done;
    std::string text = fmt::format("{} of {} {}", done, total, stage);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (done == first_ || seconds <= 0) return text;
    const double rate = static_cast<double>(done - first_) / seconds;
    text += fmt::format(", {:.3g}/s", rate);
    if (done < total)
        text += fmt::format(", {} left", duration_text(static_cast<double>(total - done) / rate));
    return text;
}

bool interruption_requested() {
    return stop_requested != 0;
}

Console::Console(const ConsoleOptions &options)
    : options_(options), keeps_lines_(team().rank() > 0 && !options.verbose),
      shows_progress_(team().rank() == 0 && (options.progress == ProgressMode::always ||
                                             (options.progress == ProgressMode::automatic &&
                                              !options.quiet && isatty(STDERR_FILENO) == 1))) {
    if (!options.verbose) silence_libraries();
    logger_ = make_logger(options);
    catch_signals();
    set_trial_interruption(interruption_requested);
    Database::end_reads_when(interruption_requested);
    warn_of_reads_without_locks([this](const std::string &line) { warning(line); });
    if (!thread_warning().empty()) warning(thread_warning());
}

Console::~Console() {
    warn_of_reads_without_locks({});
    for (const std::string &line : lines_about_drivers()) warning(line); // that the work left
    clear_progress();
}

void Console::progress(std::string_view stage, std::size_t done, std::size_t total) {
    using namespace std::chrono_literals;
    if (!shows_progress_) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (done < total && now - last_shown_ < 100ms) return;
    last_shown_ = now;
    const std::string line = pace_.line(stage, done, total, now);
    print_message(fmt::format("\r{:<{}}", line, shown_width_));
    shown_width_ = line.size();
}

void Console::clear_progress() {
    if (shown_width_ == 0) return;
    print_message("\r" + std::string(shown_width_, ' ') + "\r");
    shown_width_ = 0;
}

void Console::note(const std::string &line) {
    const std::lock_guard lock(mutex_);
    if (options_.verbose) clear_progress();
    logger_->debug(line);
}

void Console::warning(const std::string &line) {
    const std::lock_guard lock(mutex_);
    clear_progress();
    if (!is_new_to_ranks(line)) return;
    logger_->warn("warning: {}", line);
    if (keeps_lines_ && !options_.quiet) kept_ += "w" + line + '\n';
}

void Console::skipped(const std::string &reason) {
    const std::lock_guard lock(mutex_);
    clear_progress();
    if (!is_new_to_ranks(reason)) return;
    logger_->error("skipped {}", reason);
    if (keeps_lines_) kept_ += "s" + reason + '\n';
}

/// A line that several ranks print is shown once.
bool Console::is_new_to_ranks(const std::string &line) {
    return team().size() == 1 || said_.insert(line).second;
}

void Console::gather_lines() {
    std::string all; // of the others
    team().gather([this] { return std::exchange(kept_, {}); },
                  [&](std::size_t, std::string_view lines) { all += lines; });
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = all.find('\n', at);
        const std::string line = all.substr(at + 1, end - at - 1);
        if (all[at] == 's')
            skipped(line);
        else
            warning(line);
        at = end + 1;
    }
}

void Console::line(const std::string &text) {
    const std::lock_guard lock(mutex_);
    clear_progress();
    logger_->info("{}", text);
}

void Console::last_line(const std::string &line) {
    const std::lock_guard lock(mutex_);
    clear_progress();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    logger_->info("{}, {:.{}f} s", line, taken.count(), taken < std::chrono::seconds(1) ? 3 : 1);
}

bool Console::interrupted() const {
    return interruption_requested();
}

} // namespace bowhist::app
