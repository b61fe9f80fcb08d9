#pragma once

#include "bench/bench.hpp"

#include <string>

namespace bowhist {

/// The rows of a group as a table for people: first the roofs, then a line a row.
std::string as_table(const Group &group);

/// The meaning of the table's columns, a line each; for --help.
std::string explained_columns();

/// The rows of a group for scripts, the peaks among them: one JSON object a line, all with the same
/// keys; a value that was not measured is null.
std::string as_json_lines(const Group &group);

} // namespace bowhist
