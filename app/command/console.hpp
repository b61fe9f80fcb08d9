#pragma once

#include <bowhist/core/observer.hpp>

#include <spdlog/logger.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace bowhist::app {

/// Whether a signal that a Console catches has come.
bool interruption_requested();

enum class ProgressMode { automatic, always, never };

struct ConsoleOptions {
    bool quiet = false;   ///< no warnings, no progress; skipped inputs and errors are always shown
    bool verbose = false; ///< notes, too
    ProgressMode progress = ProgressMode::automatic;
};

/// The text of the counting line: how much of a stage is done, how fast that went on average, and
/// how long the rest takes at that rate.
class Pace {
  public:
    using Clock = std::chrono::steady_clock;

    /// "120 of 400 images, 31.2/s, 9 s left"
    std::string line(std::string_view stage, std::size_t done, std::size_t total,
                     Clock::time_point now);

  private:
    std::string stage_;
    Clock::time_point start_; ///< when the stage was heard of first
    std::size_t first_ = 0;   ///< done by then
    std::size_t last_ = 0;
};

/// The library's observer on standard error: a line for each skipped input, and one that counts.
/// From its making on, SIGINT and SIGTERM stop the work in good order; a second one ends the
/// program at once.
class Console : public Observer {
  public:
    explicit Console(const ConsoleOptions &options);
    ~Console() override;

    void progress(std::string_view stage, std::size_t done, std::size_t total) override;
    void note(const std::string &line) override;
    void warning(const std::string &line) override;
    void skipped(const std::string &reason) override;
    bool interrupted() const override;

    /// Shows the lines of the other ranks, too, which do not show them: what was skipped, and
    /// warnings. All ranks call it.
    void gather_lines();

    /// A line of the summary.
    void line(const std::string &text);

    /// Shows the run's last line, with the seconds since the console was made.
    void last_line(const std::string &line);

  private:
    void clear_progress();
    bool is_new_to_ranks(const std::string &line);

    ConsoleOptions options_;
    bool keeps_lines_;           ///< for rank 0
    std::set<std::string> said_; ///< of several ranks
    std::string kept_;           ///< lines, each behind its kind: w or s
    bool shows_progress_;
    std::shared_ptr<spdlog::logger> logger_;
    std::mutex mutex_;
    Pace pace_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::size_t shown_width_ = 0; ///< columns of the counting line; 0 when none is shown
    std::chrono::steady_clock::time_point last_shown_;
};

} // namespace bowhist::app
