#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/sqlite/database.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// Adds the differences of the index of search from the descriptions that it was made of. Reads
/// both.
/// @throws Error{Fault::interrupted}; Error{Fault::input} for a damaged index
void check_segments(Database &database, const Observer &observer,
                    std::vector<std::string> &damages);

} // namespace bowhist
