#include "app/summary.hpp"

#include <fmt/format.h>

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
    return text +
           fmt::format("{} {} other{}", others == all ? ":" : ",", others, others == 1 ? "" : "s");
}

} // namespace

int summarize(const InputList &list, const StreamCounts &counts, std::size_t few,
              Console &console) {
    if (counts.few > 0)
        console.warning(
            fmt::format("{} of {} inputs {} fewer than {} descriptors{}; a lower "
                        "--threshold or a larger --max-side finds more (-v names the "
                        "pictures)",
                        counts.few, counts.read, counts.few == 1 ? "has" : "have", few,
                        counts.none > 0 ? fmt::format(", {} of them none", counts.none) : ""));
    const std::string passed_over = by_kind(list.passed_over);
    const std::size_t skipped = list.skipped + counts.skipped;
    console.last_line(fmt::format("{} read, {} skipped, {}", counts.read, skipped, passed_over));
    return skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
