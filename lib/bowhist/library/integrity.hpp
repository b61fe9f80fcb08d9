#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/sqlite/statement.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// The damages of a library: of its pages and indexes, rows whose checksum differs, rows that lead
/// nowhere. Reads all of it. @throws Error{Fault::interrupted}
std::vector<std::string> damages_of(Database &database, const Observer &observer);

} // namespace bowhist
