#include "app/summary.hpp"

#include <bowhist/core/counted.hpp>
#include <bowhist/extract/extractor.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace bowhist::app {
namespace {

/// "3 passed over: 2 .cr2, 1 .txt": the most frequent first, rare ones together.
std::string by_kind(const std::map<std::string, std::size_t> &passed_over) {
    constexpr std::size_t most_kinds = 5;
    std::vector<std::pair<std::string, std::size_t>> kinds;
    std::size_t all = 0;
    for (const auto &kind : passed_over) {
        all += kind.second;
        if (kind.first != "others") kinds.push_back(kind);
    }
    std::ranges::stable_sort(kinds, std::greater(), &std::pair<std::string, std::size_t>::second);
    kinds.resize(std::min(kinds.size(), most_kinds));
    std::size_t others = all;
    std::string text = fmt::format("{} passed over", all);
    for (const auto &[kind, files] : kinds) {
        text += fmt::format("{} {} {}", others == all ? ":" : ",", files, kind);
        others -= files;
    }
    if (others == 0) return text;
    return text + fmt::format("{} {}", others == all ? ":" : ",", counted(others, "other"));
}

/// What finds more descriptors: "; try a --threshold below 1, a --step below 4 or ...". Nothing
/// where a number is as far as it goes.
std::string what_finds_more(const Recipe &recipe) {
    const double usual = default_threshold(recipe.extractor);
    std::vector<std::string> tries;
    if (recipe.threshold > usual / 100)
        tries.push_back(fmt::format("a --threshold below {}", std::min(recipe.threshold, usual)));
    const bool dense = recipe.extractor == "dense";
    if (dense && recipe.step != 1)
        tries.push_back(fmt::format("a --step below {}", recipe.step > 0 ? recipe.step : 4));
    if (dense && !recipe.patches.starts_with("8,") && recipe.patches != "8")
        tries.emplace_back("for tiny pictures smaller --patches (in train, too)");
    if (recipe.max_side > 0 && recipe.max_side < 10'000)
        tries.push_back(fmt::format("for pictures over {} pixels a --max-side above {}",
                                    recipe.max_side, recipe.max_side));
    if (tries.empty()) return {};
    const std::string last = std::move(tries.back());
    tries.pop_back();
    return fmt::format("; try {}{}{}", fmt::join(tries, ", "), tries.empty() ? "" : ", or ", last);
}

} // namespace

int summarize(const InputList &list, const StreamCounts &counts, std::size_t few,
              const Recipe &recipe, Console &console) {
    if (counts.few > 0)
        console.warning(
            fmt::format("{} of {} inputs {} fewer than {} descriptors{}{} (-v names the pictures)",
                        counts.few, counts.read, counts.few == 1 ? "has" : "have", few,
                        counts.none > 0 ? fmt::format(", {} of them none", counts.none) : "",
                        what_finds_more(recipe)));
    if (counts.strips > 0)
        console.warning(fmt::format("{} of {} inputs {} by less than --max-side asks: long strips "
                                    "keep a short side of use (-v names the pictures)",
                                    counts.strips, counts.read,
                                    counts.strips == 1 ? "was shrunk" : "were shrunk"));
    const std::string passed_over = by_kind(list.passed_over);
    const std::size_t skipped = list.skipped + counts.skipped;
    console.last_line(fmt::format("{} read, {} skipped, {}", counts.read, skipped, passed_over));
    return skipped > 0 ? 1 : 0;
}

void note_report(Observer &observer, const std::string &level, const AssignmentReport &report) {
    std::string kernels;
    for (const auto &[name, time] : report.kernels)
        kernels += fmt::format(" {} {:.3f} ms in {} launch{},", name, 1e3 * time.seconds,
                               time.launches, time.launches == 1 ? "" : "es");
    const double share = report.rows == 0 ? 0
                                          : 100.0 * static_cast<double>(report.unproven) /
                                                static_cast<double>(report.rows);
    observer.note(
        fmt::format("{}: {} descriptors, {} of them ({:.3f} %) decided by the float64 rule;{} "
                    "wall {:.3f} ms",
                    report.source.empty() ? level : level + " by " + report.source, report.rows,
                    report.unproven, share, kernels, 1e3 * report.wall_seconds));
}

void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level,
                           Observer &observer) {
    if (level.level->on_device) return;
    const auto warn = [&](const char *option) {
        observer.warning(fmt::format("{} has no effect: {} uses no device; choose a level that "
                                     "does, such as --kernel gpu1",
                                     option, level.name()));
    };
    if (!request.device.empty()) warn("--device");
    if (!request.kernel_dir.empty()) warn("--kernel-dir");
}

} // namespace bowhist::app
