#include <bowhist/core/counted.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/thumbnails.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bowhist {
namespace {

constexpr std::size_t most_columns = 50; ///< labels beside groups

/// The images of one group, nearest to its center first.
std::vector<std::size_t> members(const Grouping &grouping, std::int32_t group) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < grouping.group.size(); ++row)
        if (grouping.group[row] == group) rows.push_back(row);
    std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return grouping.distance[row]; });
    return rows;
}

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

/// A group's images of each of these labels.
std::string cells_of(const std::vector<LabelCount> &row, const std::vector<std::size_t> &columns) {
    std::string cells;
    auto one = row.begin();
    for (const std::size_t column : columns) {
        while (one != row.end() && one->label < column) ++one;
        const bool is_there = one != row.end() && one->label == column;
        cells += fmt::format("<td>{}</td>", is_there ? one->images : 0);
    }
    return cells;
}

/// Groups against labels.
std::string table_of(const Agreement &agreement) {
    const std::vector<std::size_t> columns = columns_of(agreement);
    const bool all = columns.size() == agreement.labels.size();
    std::string table = fmt::format(
        "<p>{}: purity {:.3f}, NMI {:.3f}, ARI {:.3f}{}</p>\n<table><tr><th></th>",
        counted(agreement.labels.size(), "label"), agreement.purity, agreement.nmi, agreement.ari,
        all ? "" : fmt::format("; the {} most frequent labels:", columns.size()));
    for (const std::size_t column : columns)
        table += fmt::format("<th>{}</th>", html_escape(agreement.labels[column]));
    for (std::size_t row = 0; row < agreement.groups.size(); ++row)
        table += fmt::format("</tr>\n<tr><th>{}</th>", agreement.groups[row]) +
                 cells_of(agreement.counts[row], columns);
    return table + "</tr></table>\n";
}

/// " Words that set it apart: 3, 17."
std::string words_of(const GroupSummary &summary) {
    if (summary.words.empty()) return {};
    return fmt::format(" Words that set it apart: {}.", fmt::join(summary.words, ", "));
}

/// One page's groups.
class Sheet {
  public:
    Sheet(AtomicFile &page, const std::vector<std::string> &images, const Grouping &grouping,
          Observer &observer, const KnownImages &known)
        : page_(page), images_(images), grouping_(grouping), observer_(observer), known_(known),
          thumbnails_(page.destination(), observer) {}

    void write_group(std::size_t group) {
        const auto rows = members(grouping_, static_cast<std::int32_t>(group));
        if (rows.empty()) return; // its number is kept
        std::string title = title_of(grouping_, group);
        title.front() = 'G';
        page_.write(fmt::format("<section id=\"group-{0}\"><h2>{3} <small>{1}</small></h2>\n"
                                "<p>Spread {2:.3f}, the most typical first.{4}</p>\n",
                                group, counted(rows.size(), "picture"),
                                grouping_.summaries[group].spread, html_escape(title),
                                words_of(grouping_.summaries[group])));
        write_images(rows);
    }

    void write_nowhere() {
        const auto rows = members(grouping_, Grouping::nowhere);
        if (rows.empty()) return;
        page_.write(fmt::format("<section id=\"nowhere\"><h2>Pictures that fit nowhere "
                                "<small>{}</small></h2>\n",
                                counted(rows.size(), "picture")));
        write_images(rows);
    }

    void report_missing() { thumbnails_.report_missing(images_.size()); }

  private:
    void write_images(const std::vector<std::size_t> &rows) {
        page_.write("<div class=\"grid\" data-grid>\n");
        for (const std::size_t row : rows) {
            observer_.stop_if_interrupted();
            PageImage image = thumbnail(row);
            image.note = fmt::format("distance {:.3f}", grouping_.distance[row]);
            page_.write(image_figure(image));
            observer_.progress("thumbnails", ++done_, images_.size());
        }
        page_.write("</div></section>\n");
    }

    PageImage thumbnail(std::size_t row) {
        const std::string &file = known_.files.empty() ? images_[row] : known_.files[row];
        const std::string jpeg = known_.thumbnail ? known_.thumbnail(row) : std::string();
        return jpeg.empty() ? thumbnails_.make(file) : thumbnails_.show(file, jpeg);
    }

    AtomicFile &page_;
    const std::vector<std::string> &images_;
    const Grouping &grouping_;
    Observer &observer_;
    const KnownImages &known_;
    Thumbnails thumbnails_;
    std::size_t done_ = 0;
};

} // namespace

void write_contact_sheet(AtomicFile &page, const std::vector<std::string> &images,
                         const Grouping &grouping, const Agreement *agreement, Observer &observer,
                         const KnownImages &known) {
    page.write(page_head({.title = "Pictures by group", .filter = "Filter pictures"}));
    page.write(fmt::format("<h1>{} in {}</h1>\n"
                           "<p>Click a picture to open it, and its path to select it for copying."
                           "</p>\n<nav>",
                           counted(images.size(), "picture"), counted(grouping.filled(), "group")));
    for (std::size_t group = 0; group < grouping.groups; ++group)
        if (grouping.summaries[group].size > 0)
            page.write(fmt::format("<a href=\"#group-{0}\">{0}</a>", group));
    page.write("</nav>\n");
    if (agreement != nullptr) page.write(table_of(*agreement));
    Sheet sheet(page, images, grouping, observer, known);
    for (std::size_t group = 0; group < grouping.groups; ++group) sheet.write_group(group);
    sheet.write_nowhere();
    sheet.report_missing();
    page.write(page_end);
}

} // namespace bowhist
