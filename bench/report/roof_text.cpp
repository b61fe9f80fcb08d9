#include "bench/report/roof_text.hpp"

#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace bowhist {
namespace {

/// Without the blank that a unit would follow.
std::string without_blank(std::string scaled) {
    if (scaled.ends_with(' ')) scaled.pop_back();
    return scaled;
}

} // namespace

std::string peak_text(const Measurement &peak) {
    const Subject &subject = peak.subject;
    if (!peak.figures) return fmt::format("no {} ({}{})", subject.level, peak.obstacle, peak.error);
    const Spread rate = rate_of(peak);
    return fmt::format("{} {}{} ({} … {})", subject.level, scaled(rate.median),
                       subject.level == name_of(Roof::copy) ? "B/s" : "FLOP/s",
                       without_blank(scaled(rate.least)), without_blank(scaled(rate.most)));
}

std::vector<std::string> roof_lines(const Group &group) {
    std::vector<std::string> lines;
    for (const Place place : {Place::device, Place::host}) {
        std::string line;
        for (const Measurement &row : group.measurements) {
            if (!row.is_peak() || row.subject.place != place) continue;
            line += line.empty() ? fmt::format("roofs of {}: ", row.subject.device) : ", ";
            line += peak_text(row);
        }
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
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
