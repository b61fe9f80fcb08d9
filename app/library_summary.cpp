#include "app/library_summary.hpp"

#include "app/command/summary.hpp"

#include <fmt/format.h>

namespace bowhist::app {

std::string library_summary(const IndexRun &run, const std::string &upkeep) {
    std::string text =
        fmt::format("{} new, {} changed, {} moved, {} gone, {} back, {} unchanged{}; {} "
                    "described, {} skipped",
                    run.added, run.changed, run.moved, run.gone, run.back, run.unchanged, upkeep,
                    run.described, run.skipped);
    if (!run.ignored.empty() || !run.ignored_folders.empty())
        text += ", " + ignored(run.ignored, run.ignored_folders);
    if (run.standing > 0)
        text +=
            fmt::format("; {} skipped in all (bowhist status -v names them, index --retry tries "
                        "them again)",
                        run.standing);
    return text;
}

} // namespace bowhist::app
