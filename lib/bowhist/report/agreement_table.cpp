#include <bowhist/report/agreement_table.hpp>

#include <bowhist/core/counted.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

constexpr std::size_t most_columns = 50; ///< labels beside groups

/// The labels that a table shows, ascending: the most frequent, of equal ones the first.
std::vector<std::size_t> columns_of(const Agreement &agreement) {
    std::vector<std::size_t> images(agreement.labels.size(), 0);
    for (const auto &row : agreement.counts)
        for (const LabelCount &one : row) images[one.label] += one.images;
    std::vector<std::size_t> columns(agreement.labels.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    std::ranges::stable_sort(columns, std::ranges::greater{},
                             [&](std::size_t label) { return images[label]; });
    columns.resize(std::min(columns.size(), most_columns));
    std::ranges::sort(columns);
    return columns;
}

std::size_t most_of(const std::vector<LabelCount> &row) {
    std::size_t most = 0;
    for (const LabelCount &one : row) most = std::max(most, one.images);
    return most;
}

/// A group's images of each of these labels; the most frequent one stands out.
std::string cells_of(const std::vector<LabelCount> &row, const std::vector<std::size_t> &columns) {
    std::string cells;
    const std::size_t most = most_of(row);
    auto one = row.begin();
    for (const std::size_t column : columns) {
        while (one != row.end() && one->label < column) ++one;
        const std::size_t images = one != row.end() && one->label == column ? one->images : 0;
        const char *kind = images == 0      ? " class=\"nothing\""
                           : images == most ? " class=\"most\""
                                            : "";
        cells += fmt::format("<td{}>{}</td>", kind, images);
    }
    return cells;
}

} // namespace

std::string agreement_table(const Agreement &agreement) {
    const std::vector<std::size_t> columns = columns_of(agreement);
    const bool all = columns.size() == agreement.labels.size();
    std::string table = fmt::format(
        "<details class=\"section\"><summary><h2>Groups and labels</h2> <small>{}: purity {:.3f}, "
        "NMI {:.3f}, ARI {:.3f}{}</small></summary>\n"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Groups and labels\">"
        "<table><thead><tr><th scope=\"col\">group</th>",
        counted(agreement.labels.size(), "label"), agreement.purity, agreement.nmi, agreement.ari,
        all ? "" : fmt::format("; the {} most frequent labels:", columns.size()));
    for (const std::size_t column : columns)
        table += fmt::format("<th scope=\"col\"><bdi>{}</bdi></th>",
                             html_escape(agreement.labels[column]));
    table += "</tr></thead><tbody>\n";
    for (std::size_t row = 0; row < agreement.groups.size(); ++row)
        table += fmt::format("<tr><th scope=\"row\">{}</th>", agreement.groups[row]) +
                 cells_of(agreement.counts[row], columns) + "</tr>\n";
    return table + "</tbody></table></div></details>\n";
}

std::string most_frequent_label(const Agreement &agreement, std::int32_t group) {
    const auto found = std::ranges::lower_bound(agreement.groups, group);
    if (found == agreement.groups.end() || *found != group) return {};
    const auto &row = agreement.counts[static_cast<std::size_t>(found - agreement.groups.begin())];
    std::size_t images = 0;
    for (const LabelCount &one : row) images += one.images;
    const std::size_t most = most_of(row);
    const auto label = std::ranges::find(row, most, &LabelCount::images);
    return fmt::format("{} {} of {}", agreement.labels[label->label], most, images);
}

} // namespace bowhist
