#pragma once

#include <bowhist/index/update.hpp>

#include <string>

namespace bowhist::app {

/// "9 new, 0 changed, ...": what a run did to a library, or several to the parts of one.
std::string library_summary(const IndexRun &run, const std::string &upkeep = {});

} // namespace bowhist::app
