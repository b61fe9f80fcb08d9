#pragma once

#include <bowhist/core/observer.hpp>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace bowhist {

/// Keeps what threads report, any number of them at once, until the thread that may call the
/// observer passes it on. Interruptions are the observer's.
class KeptLines : public Observer {
  public:
    /// @param observer  outlives it
    explicit KeptLines(Observer &observer) : observer_(observer) {}

    void note(const std::string &line) override { keep({false, line}); }
    void warning(const std::string &line) override { keep({true, line}); }
    bool interrupted() const override { return observer_.interrupted(); }

    void pass_on() {
        for (const auto &[warns, line] : taken())
            if (warns)
                observer_.warning(line);
            else
                observer_.note(line);
    }

  private:
    using Line = std::pair<bool, std::string>; ///< whether it is a warning

    void keep(Line line) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
    }
    std::vector<Line> taken() {
        const std::lock_guard lock(mutex_);
        return std::exchange(lines_, {});
    }

    Observer &observer_;
    std::mutex mutex_;
    std::vector<Line> lines_;
};

} // namespace bowhist
