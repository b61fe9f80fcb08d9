#pragma once

#include "bench/bench.hpp"

#include <string>
#include <vector>

namespace bowhist {

/// The rows of a group as a table for people: first the roofs, then a line a row.
std::string as_table(const Group &group);

/// The meaning of the table's columns, a line each; for --help.
std::string explained_columns();

/// The rows of a group for scripts, the peaks among them: one JSON object a line, all with the same
/// keys; a value that was not measured is null.
std::string as_json_lines(const Group &group);

// Lines on roofs for the table and the plot.

/// A peak that was measured, with the range of its rounds: "copy 4.28 TB/s (4.1 T … 4.3 T)".
std::string peak_text(const Measurement &peak);

/// "roofs of A device: fma …, copy …": a line for each place with its peaks.
std::vector<std::string> roof_lines(const Group &group);

/// For each reason why rows are above 100 % of their roof, a line with their levels.
std::vector<std::string> lines_above(const std::vector<Measurement> &rows);

} // namespace bowhist
