#include "app/pace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bowhist::app {

std::string duration_text(double seconds) {
    constexpr long minute = 60;
    constexpr long hour = 60 * minute;
    const long whole = std::lround(seconds);
    if (whole < minute) return fmt::format("{} s", whole);
    if (whole < hour) return fmt::format("{} min {} s", whole / minute, whole % minute);
    return fmt::format("{} h {} min", whole / hour, whole % hour / minute);
}

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

} // namespace bowhist::app
