#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/agreement.hpp>
#include <bowhist/group/int128.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

using Counts = std::vector<std::size_t>;

/// The natural logarithm of a number above 0, by additions, products and quotients alone: x is
/// 2^e·m, and ln m is twice the series of the inverse hyperbolic tangent of (m − 1)/(m + 1).
double logarithm(double x) {
    constexpr double of_two = 0x1.62e42fefa39efp-1;
    int exponent = 0;
    double m = std::frexp(x, &exponent); // from 1/2 to 1
    if (m < 0.70710678) {
        m *= 2;
        --exponent;
    }
    const double t = (m - 1) / (m + 1); // at most 0.172 in size: 13 terms leave 10^-21
    const double square = t * t;
    double sum = 0;
    for (int power = 25; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
    return exponent * of_two + 2 * t * sum;
}

double entropy(const Counts &counts, double all) {
    double sum = 0;
    for (const std::size_t count : counts) {
        const double share = static_cast<double>(count) / all;
        sum -= share * logarithm(share);
    }
    return sum;
}

double mutual_information(const Agreement &table, const Counts &rows, const Counts &columns) {
    const auto all = static_cast<double>(table.images);
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const LabelCount &one : table.counts[i]) {
            const auto count = static_cast<double>(one.images);
            const double expected =
                static_cast<double>(rows[i]) * static_cast<double>(columns[one.label]) / all;
            sum += count / all * logarithm(count / expected);
        }
    return sum;
}

std::int64_t pairs(std::size_t count) {
    return static_cast<std::int64_t>(count) * (static_cast<std::int64_t>(count) - 1) / 2;
}

std::int64_t pairs(const Counts &counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0},
                           [](std::int64_t sum, std::size_t count) { return sum + pairs(count); });
}

/// (together − rows·columns/all) / ((rows + columns)/2 − rows·columns/all), in pairs.
double adjusted_rand(const Agreement &table, const Counts &row_sums, const Counts &column_sums) {
    const Int128 all = pairs(table.images);
    const Int128 rows = pairs(row_sums);
    const Int128 columns = pairs(column_sums);
    Int128 together = 0;
    for (const auto &row : table.counts)
        for (const LabelCount &one : row) together += pairs(one.images);
    const Int128 above = 2 * (together * all - rows * columns);
    const Int128 below = (rows + columns) * all - 2 * rows * columns;
    return below == 0 ? 1 : static_cast<double>(above) / static_cast<double>(below);
}

Agreement table_of(std::span<const std::int32_t> groups, std::span<const std::string> labels) {
    std::map<std::int32_t, std::size_t> rows;
    std::map<std::string, std::size_t> columns;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (labels[i].empty()) continue;
        rows.emplace(groups[i], 0);
        columns.emplace(labels[i], 0);
    }
    Agreement table;
    for (auto &[group, place] : rows) {
        place = table.groups.size();
        table.groups.push_back(group);
    }
    for (auto &[label, place] : columns) {
        place = table.labels.size();
        table.labels.push_back(label);
    }
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> cells;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (labels[i].empty()) continue;
        ++cells[{rows.at(groups[i]), columns.at(labels[i])}];
        ++table.images;
    }
    table.counts.resize(rows.size());
    for (const auto &[cell, images] : cells)
        table.counts[cell.first].push_back({cell.second, images});
    return table;
}

} // namespace

Agreement agreement(std::span<const std::int32_t> groups, std::span<const std::string> labels) {
    const DefaultFloats floats;
    Agreement table = table_of(groups, labels);
    if (table.images == 0) return table;
    Counts rows;
    Counts columns(table.labels.size(), 0);
    std::size_t pure = 0;
    for (const auto &row : table.counts) {
        std::size_t most = 0;
        rows.push_back(0);
        for (const LabelCount &one : row) {
            rows.back() += one.images;
            columns[one.label] += one.images;
            most = std::max(most, one.images);
        }
        pure += most;
    }
    const auto all = static_cast<double>(table.images);
    const double entropies = entropy(rows, all) + entropy(columns, all);
    table.purity = static_cast<double>(pure) / all;
    table.nmi = entropies == 0
                    ? 1
                    : std::max(0.0, 2 * mutual_information(table, rows, columns) / entropies);
    table.ari = adjusted_rand(table, rows, columns);
    return table;
}

} // namespace bowhist
