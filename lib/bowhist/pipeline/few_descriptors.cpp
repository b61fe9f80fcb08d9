#include <bowhist/pipeline/few_descriptors.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/extract/extractor.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace bowhist {

std::string why_none(const StreamCounts &counts, const Recipe &recipe) {
    const bool dense = recipe.extractor == "dense";
    const std::size_t weak = counts.none - counts.small - counts.flat;
    std::vector<std::string> reasons;
    if (counts.small > 0) {
        const int side = smallest_side(recipe);
        const bool shrunk = recipe.max_side > 0 && recipe.max_side < side;
        reasons.push_back(
            fmt::format("{} {}smaller than {}, of {} pixels{}", counts.small,
                        counts.small == 1 ? "is " : "are ",
                        dense ? "the smallest patch" : "the smallest keypoint", side,
                        shrunk ? fmt::format(", at --max-side {}", recipe.max_side) : ""));
    }
    if (counts.flat > 0)
        reasons.push_back(
            fmt::format("{} {} of a single gray", counts.flat, counts.flat == 1 ? "is" : "are"));
    if (weak > 0)
        reasons.push_back(fmt::format("in {} no {} reaches --threshold {}", weak,
                                      dense ? "patch" : "keypoint", recipe.threshold));
    return fmt::format("{}", fmt::join(reasons, ", "));
}

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
        tries.push_back(recipe.enlarge
                            ? fmt::format("a --max-side above {}", recipe.max_side)
                            : fmt::format("for pictures over {} pixels a --max-side above {}",
                                          recipe.max_side, recipe.max_side));
    if (tries.empty()) return {};
    const std::string last = std::move(tries.back());
    tries.pop_back();
    return fmt::format("; try {}{}{}", fmt::join(tries, ", "), tries.empty() ? "" : ", or ", last);
}

void require_read(const InputSummary &run) {
    const InputList &list = run.list;
    require_read(run.counts.read, list.skipped + run.counts.skipped + list.ignored.size() +
                                      list.ignored_folders.size());
}

void fail_without_descriptors(const InputSummary &run) {
    const StreamCounts &counts = run.counts;
    const std::size_t skipped = run.list.skipped + counts.skipped;
    std::string why = "give others, or more of them";
    if (counts.none > 0)
        why = fmt::format("of {}, {}{}", counted(counts.read, "input"),
                          why_none(counts, run.recipe), what_finds_more(run.recipe));
    else if (counts.read == 0 && skipped > 0)
        why = fmt::format("{} skipped; give others", skipped == 1 ? "it was" : "all were");
    throw Error(Fault::input, fmt::format("0 descriptors: none of the inputs gave any: {}", why));
}

} // namespace bowhist
