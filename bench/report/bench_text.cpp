// The text that bench prints, from the list of columns.
#include "bench/report/bench_text.hpp"
#include "bench/report/columns.hpp"

#include <bowhist/core/scaled.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace bowhist {
namespace {

/// The rows without the peaks.
std::vector<Measurement> rows_of(const Group &group) {
    std::vector<Measurement> rows;
    std::ranges::remove_copy_if(group.measurements, std::back_inserter(rows),
                                &Measurement::is_peak);
    return rows;
}

/// One line of the table: the level on the left, `level_width` wide, the others on the right of
/// their columns. A blank before each separates those that are wider than usual.
std::string line_of(std::size_t level_width, const auto &text) {
    std::string line;
    for (const Column *column : table_columns())
        if (line.empty())
            line = fmt::format("{:<{}}", text(*column), level_width);
        else if (column->width > 0)
            line += fmt::format(" {:>{}}", text(*column), column->width);
    return line + "\n";
}

std::string line_of(const Measurement &row, std::size_t level_width) {
    const std::string level = column("level").cell(row);
    if (!row.obstacle.empty())
        return fmt::format("{:<{}}  unsupported, because {}\n", level, level_width, row.obstacle);
    if (!row.figures) return fmt::format("{:<{}}  failed: {}\n", level, level_width, row.error);
    return line_of(level_width, [&](const Column &column) { return column.cell(row); });
}

/// The columns without a width: a line each, with the rows that have a value.
std::string lines_below(const std::vector<Measurement> &rows) {
    std::string lines;
    for (const Column *below : table_columns()) {
        if (below->width > 0) continue;
        std::string line;
        for (const Measurement &row : rows)
            if (const std::string cell = below->cell(row); !cell.empty())
                line += fmt::format("{}{} {}", line.empty() ? "" : ", ", column("level").cell(row),
                                    cell);
        if (!line.empty()) lines += fmt::format("  {}: {}\n", below->heading, line);
    }
    return lines;
}

/// Without the blank that a unit would follow.
std::string without_blank(std::string scaled) {
    if (scaled.ends_with(' ')) scaled.pop_back();
    return scaled;
}

} // namespace

std::string peak_text(const Measurement &peak) {
    const Subject &subject = peak.subject;
    if (!peak.figures) return fmt::format("no {} ({}{})", subject.level, peak.obstacle, peak.error);
    const Spread rate = rate_of(peak);
    return fmt::format("{} {}{} ({} … {})", subject.level, scaled(rate.median),
                       subject.level == name_of(Roof::copy) ? "B/s" : "FLOP/s",
                       without_blank(scaled(rate.least)), without_blank(scaled(rate.most)));
}

std::vector<std::string> roof_lines(const Group &group) {
    std::vector<std::string> lines;
    for (const Place place : {Place::device, Place::host}) {
        std::string line;
        for (const Measurement &row : group.measurements) {
            if (!row.is_peak() || row.subject.place != place) continue;
            line += line.empty() ? fmt::format("roofs of {}: ", row.subject.device) : ", ";
            line += peak_text(row);
        }
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> lines_above(const std::vector<Measurement> &rows) {
    std::map<std::string, std::vector<std::string>> levels;
    for (const Measurement &row : rows)
        if (row.figures && row.figures->roof && !row.figures->roof->above.empty())
            levels[row.figures->roof->above].push_back(row.subject.level);
    std::vector<std::string> lines;
    for (const auto &[why, names] : levels)
        lines.push_back(fmt::format("above 100 %: {}: {}", fmt::join(names, ", "), why));
    return lines;
}

std::string as_table(const Group &group) {
    const std::vector<Measurement> rows = rows_of(group);
    std::string text = fmt::format("{}: {}\n", group.operation->id, group.operation->idea);
    if (!rows.empty()) {
        const Subject &subject = rows.front().subject;
        text += subject.k > 0 ? fmt::format("  k = {}, d = {}\n", subject.k, subject.d)
                              : fmt::format("  d = {}\n", subject.d);
    }
    for (const std::string &line : roof_lines(group)) text += fmt::format("  {}\n", line);
    auto level_width = static_cast<std::size_t>(column("level").width);
    for (const Measurement &row : rows)
        level_width = std::max(level_width, column("level").cell(row).size());
    text += line_of(level_width, [](const Column &column) { return column.heading; });
    for (const Measurement &row : rows) text += line_of(row, level_width);
    text += lines_below(rows);
    for (const std::string &line : lines_above(rows)) text += fmt::format("  {}\n", line);
    return text;
}

std::string as_json_lines(const Group &group) {
    std::string lines;
    for (const Measurement &row : group.measurements) {
        nlohmann::ordered_json object;
        for (const Column &column : columns()) object[std::string(column.key)] = column.value(row);
        lines += object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    return lines;
}

std::string explained_columns() {
    std::string text = "Columns of the table (G is 10^9, M is 10^6):\n";
    for (const Column *column : table_columns())
        if (!column->meaning.empty())
            text += fmt::format("  {:<13}{}\n", column->heading, column->meaning);
    return text;
}

} // namespace bowhist
