#include "app/command/summary.hpp"

#include <bowhist/pipeline/few_descriptors.hpp>

#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace bowhist::app {
namespace {

using Counts = std::map<std::string, std::size_t>;

std::size_t sum_of(const Counts &counts) {
    std::size_t sum = 0;
    for (const auto &[name, count] : counts) sum += count;
    return sum;
}

/// The most frequent first.
std::vector<std::pair<std::string, std::size_t>> ranked(const Counts &counts) {
    std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
    std::ranges::stable_sort(all, std::greater(), &std::pair<std::string, std::size_t>::second);
    return all;
}

/// Short, and in ASCII, so that it stands well in a line.
bool is_plain(const std::string &name) {
    constexpr std::size_t longest = 25; // "System Volume Information"
    return name.size() <= longest &&
           std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
}

/// "3 folders (@eaDir, .git, ...)"
std::string folders_by_name(const Counts &folders) {
    constexpr std::size_t most_names = 3;
    std::vector<std::string> names;
    for (const auto &[name, count] : ranked(folders))
        if (names.size() < most_names && is_plain(name)) names.push_back(name);
    if (names.size() < folders.size()) names.emplace_back("...");
    return fmt::format("{} ({})", counted(sum_of(folders), "folder"), fmt::join(names, ", "));
}

} // namespace

std::string ignored(const Counts &files, const Counts &folders) {
    constexpr std::size_t most_parts = 5;
    std::vector<std::string> parts;
    if (!folders.empty()) parts.push_back(folders_by_name(folders));
    std::size_t others = sum_of(files);
    Counts kinds = files;
    kinds.erase("others");
    for (const auto &[kind, count] : ranked(kinds)) {
        if (parts.size() == most_parts) break;
        parts.push_back(fmt::format("{} {}", count, kind));
        others -= count;
    }
    if (others > 0) parts.push_back(counted(others, "other"));
    const std::string all = fmt::format("{} ignored", sum_of(files) + sum_of(folders));
    return parts.empty() ? all : fmt::format("{}: {}", all, fmt::join(parts, ", "));
}

int summarize(const InputSummary &run, Console &console, const std::string &result) {
    const StreamCounts &counts = run.counts;
    if (counts.few > 0)
        console.warning(fmt::format(
            "{} of {} inputs {} fewer than {} descriptors{}{} ({}-v names the pictures)",
            counts.few, counts.read, counts.few == 1 ? "has" : "have", run.few,
            counts.none > 0 ? fmt::format(", {} of them none", counts.none) : "",
            what_finds_more(run.recipe),
            counts.none > 0 ? fmt::format("of those without any {}; ", why_none(counts, run.recipe))
                            : ""));
    if (counts.strips > 0)
        console.warning(fmt::format("{} of {} inputs {} by less than --max-side asks: long strips "
                                    "keep a short side of use (-v names the pictures)",
                                    counts.strips, counts.read,
                                    counts.strips == 1 ? "was shrunk" : "were shrunk"));
    const std::size_t skipped = run.list.skipped + counts.skipped;
    console.last_line(fmt::format("{}{}{} read, {} skipped, {}", result, result.empty() ? "" : "; ",
                                  counts.read, skipped,
                                  ignored(run.list.ignored, run.list.ignored_folders)));
    return skipped > 0 ? 1 : 0;
}

void note_report(Observer &observer, const std::string &level, const AssignmentReport &report,
                 std::string_view rows) {
    std::string kernels;
    for (const auto &[name, time] : report.kernels)
        kernels += fmt::format(" {} {:.3f} ms in {} launch{},", name, 1e3 * time.seconds,
                               time.launches, time.launches == 1 ? "" : "es");
    const double share = report.rows == 0 ? 0
                                          : 100.0 * static_cast<double>(report.unproven) /
                                                static_cast<double>(report.rows);
    observer.note(fmt::format("{}: {} {}, {} of them ({:.3f} %) decided by the float64 rule;{} "
                              "wall {:.3f} ms",
                              report.source.empty() ? level : level + " by " + report.source,
                              report.rows, rows, report.unproven, share, kernels,
                              1e3 * report.wall_seconds));
}

} // namespace bowhist::app
