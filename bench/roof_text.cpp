#include "bench/roof_text.hpp"

#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace bowhist {
namespace {

/// "20 " wants a unit behind it; here none follows.
std::string without_blank(std::string scaled) {
    if (scaled.ends_with(' ')) scaled.pop_back();
    return scaled;
}

} // namespace

std::string peak_text(const Measurement &peak) {
    const bool copies = peak.work.operations == 0;
    const double amount =
        copies ? peak.work.bytes_read + peak.work.bytes_written : peak.work.operations;
    const Spread rate = rate_of(amount, peak.figures->seconds);
    return fmt::format("{} {}{} ({} … {})", peak.subject.level, scaled(rate.median),
                       copies ? "B/s" : "FLOP/s", without_blank(scaled(rate.least)),
                       without_blank(scaled(rate.most)));
}

std::vector<std::string> lines_above(const std::vector<Measurement> &rows) {
    std::map<std::string, std::vector<std::string>> levels;
    for (const Measurement &row : rows)
        if (row.figures && row.figures->roof && !row.figures->roof->above.empty())
            levels[row.figures->roof->above].push_back(row.subject.level);
    std::vector<std::string> lines;
    for (const auto &[why, names] : levels)
        lines.push_back(fmt::format("above 100 %: {}: {}", fmt::join(names, ", "), why));
    return lines;
}

} // namespace bowhist
