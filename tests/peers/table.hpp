#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist::peers {

/// What was measured of one problem.
struct Table {
    struct Row {
        std::string name;
        std::vector<double> seconds; ///< one a round
        std::size_t differing = 0;   ///< words that are not the rule's, of the sample
    };
    double operations = 0;     ///< 2·D·n·k
    std::size_t reference = 0; ///< the row that the others are compared with
    std::vector<Row> rows;
    std::vector<double> peaks; ///< GFLOP/s of fused multiply-adds, one a round
};

/// Writes it to standard output: medians and ranges over the rounds; ratios are taken within each
/// round first.
void print(const Table &table);

} // namespace bowhist::peers
