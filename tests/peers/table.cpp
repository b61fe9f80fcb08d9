#include "tests/peers/table.hpp"
#include "bench/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bowhist::peers {
namespace {

std::string with_range(const std::vector<double> &values, double scale, int decimals) {
    const Spread spread = spread_of(values);
    return fmt::format("{:.{}f} ({:.{}f} … {:.{}f})", scale * spread.median, decimals,
                       scale * spread.least, decimals, scale * spread.most, decimals);
}

/// How many times as long as the reference, round by round.
std::vector<double> ratios(const Table::Row &row, const Table::Row &reference) {
    std::vector<double> result(row.seconds.size());
    std::ranges::transform(row.seconds, reference.seconds, result.begin(), std::divides{});
    return result;
}

} // namespace

void print(const Table &table) {
    const Table::Row &reference = table.rows.at(table.reference);
    const double peak = spread_of(table.peaks).median;
    fmt::print("fused multiply-adds alone: {} GFLOP/s\n", with_range(table.peaks, 1, 0));
    fmt::print("{:34}{:>30}{:>10}{:>9}{:>26}{:>9}\n", "", "ms, median (range)", "GFLOP/s",
               "of peak", reference.name + " is faster by", "differ");
    for (const Table::Row &row : table.rows) {
        const double rate = table.operations / spread_of(row.seconds).median / 1e9;
        fmt::print("{:34}{:>30}{:>10.1f}{:>7.1f} %{:>26}{:>9}\n", row.name,
                   with_range(row.seconds, 1e3, 2), rate, 100 * rate / peak,
                   &row == &reference ? "–" : with_range(ratios(row, reference), 1, 2),
                   row.differing);
    }
    std::fflush(stdout);
}

} // namespace bowhist::peers
