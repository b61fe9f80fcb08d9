#pragma once

#include <bowhist/core/observer.hpp>

#include <set>
#include <string>
#include <string_view>

namespace bowhist {

/// Passes each warning and each skipped input on once, where a run meets its inputs twice. Any
/// thread, one at a time.
class SaidOnce : public Observer {
  public:
    /// @param observer  outlives it
    explicit SaidOnce(Observer &observer) : observer_(observer) {}
    void progress(std::string_view stage, std::size_t done, std::size_t total) override {
        observer_.progress(stage, done, total);
    }
    void note(const std::string &line) override { observer_.note(line); }
    void warning(const std::string &line) override {
        if (said_.insert(line).second) observer_.warning(line);
    }
    void skipped(const std::string &line) override {
        if (said_.insert(line).second) observer_.skipped(line);
    }
    bool interrupted() const override { return observer_.interrupted(); }

  private:
    Observer &observer_;
    std::set<std::string> said_;
};

} // namespace bowhist
