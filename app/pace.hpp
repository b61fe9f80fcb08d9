#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace bowhist::app {

/// "9 s", "2 min 5 s", "1 h 3 min"
std::string duration_text(double seconds);

/// What the counting line says: how much of a stage is done, how fast that went on average, and how
/// long the rest takes at that rate.
class Pace {
  public:
    using Clock = std::chrono::steady_clock;

    /// "120 of 400 pictures, 31.2/s, 9 s left"
    std::string line(std::string_view stage, std::size_t done, std::size_t total,
                     Clock::time_point now);

  private:
    std::string stage_;
    Clock::time_point start_; ///< when the stage was heard of first
    std::size_t first_ = 0;   ///< done by then
    std::size_t last_ = 0;
};

} // namespace bowhist::app
