#include "app/library_summary.hpp"

#include <fmt/format.h>

namespace bowhist::app {

std::string library_summary(const IndexRun &run, const std::string &upkeep) {
    return fmt::format("{} new, {} changed, {} moved, {} gone, {} back, {} unchanged{}; {} "
                       "described, {} skipped",
                       run.added, run.changed, run.moved, run.gone, run.back, run.unchanged, upkeep,
                       run.described, run.skipped);
}

} // namespace bowhist::app
