#include "app/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bowhist::app {

std::size_t few_descriptors(std::size_t max_descriptors) {
    const std::size_t few = StreamOptions().few;
    return max_descriptors == 0 ? few : std::min(few, max_descriptors);
}

int summarize(const InputList &list, const StreamCounts &counts, std::size_t few,
              Console &console) {
    if (counts.few > 0)
        console.warning(
            fmt::format("{} of {} inputs {} fewer than {} descriptors{}; a lower "
                        "--threshold or a larger --max-side finds more (-v names the "
                        "pictures)",
                        counts.few, counts.read, counts.few == 1 ? "has" : "have", few,
                        counts.none > 0 ? fmt::format(", {} of them none", counts.none) : ""));
    const std::size_t skipped = list.skipped + counts.skipped;
    console.last_line(
        fmt::format("{} read, {} skipped, {} passed over", counts.read, skipped, list.passed_over));
    return skipped > 0 ? 1 : 0;
}

} // namespace bowhist::app
