#include "tests/peers/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bowhist::peers {
namespace {

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string with_range(const std::vector<double> &values, double scale, int decimals) {
    const auto [least, most] = std::ranges::minmax(values);
    return fmt::format("{:.{}f} ({:.{}f} … {:.{}f})", scale * median(values), decimals,
                       scale * least, decimals, scale * most, decimals);
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
    const double peak = median(table.peaks);
    fmt::print("fused multiply-adds alone: {} GFLOP/s\n", with_range(table.peaks, 1, 0));
    fmt::print("{:34}{:>30}{:>10}{:>9}{:>26}{:>9}\n", "", "ms, median (range)", "GFLOP/s",
               "of peak", reference.name + " is faster by", "differ");
    for (const Table::Row &row : table.rows) {
        const double rate = table.operations / median(row.seconds) / 1e9;
        fmt::print("{:34}{:>30}{:>10.1f}{:>7.1f} %{:>26}{:>9}\n", row.name,
                   with_range(row.seconds, 1e3, 2), rate, 100 * rate / peak,
                   &row == &reference ? "–" : with_range(ratios(row, reference), 1, 2),
                   row.differing);
    }
    std::fflush(stdout);
}

} // namespace bowhist::peers
