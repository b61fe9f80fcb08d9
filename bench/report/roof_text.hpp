#pragma once

#include "bench/bench.hpp"

#include <string>
#include <vector>

namespace bowhist {

// Lines on roofs for the table and the plot.

/// A peak that was measured, with the range of its rounds: "copy 4.28 TB/s (4.1 T … 4.3 T)".
std::string peak_text(const Measurement &peak);

/// "roofs of A device: fma …, copy …": a line for each place with its peaks.
std::vector<std::string> roof_lines(const Group &group);

/// For each reason why rows are above 100 % of their roof, a line with their levels.
std::vector<std::string> lines_above(const std::vector<Measurement> &rows);

} // namespace bowhist
