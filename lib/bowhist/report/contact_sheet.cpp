#include <bowhist/core/counted.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

/// The images of one group, nearest to its center first.
std::vector<std::size_t> members(const Grouping &grouping, std::int32_t group) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < grouping.group.size(); ++row)
        if (grouping.group[row] == group) rows.push_back(row);
    std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return grouping.distance[row]; });
    return rows;
}

/// Groups against labels.
std::string table_of(const Agreement &agreement) {
    std::string table = fmt::format("<p>{}: purity {:.3f}, NMI {:.3f}, ARI {:.3f}</p>\n<table><tr>"
                                    "<th></th>",
                                    counted(agreement.labels.size(), "label"), agreement.purity,
                                    agreement.nmi, agreement.ari);
    for (const std::string &label : agreement.labels)
        table += fmt::format("<th>{}</th>", html_escape(label));
    for (std::size_t row = 0; row < agreement.groups.size(); ++row) {
        table += fmt::format("</tr>\n<tr><th>{}</th>", agreement.groups[row]);
        for (const std::size_t count : agreement.counts[row])
            table += fmt::format("<td>{}</td>", count);
    }
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
          Observer &observer)
        : page_(page), images_(images), grouping_(grouping), observer_(observer),
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
        page_.write("<div class=\"sheet\">\n");
        for (const std::size_t row : rows) {
            observer_.stop_if_interrupted();
            page_.write(fmt::format("<figure title=\"{}&#10;distance {:.3f}\">{}<figcaption>{}"
                                    "</figcaption></figure>\n",
                                    html_escape(images_[row]), grouping_.distance[row],
                                    thumbnails_.make(images_[row]), html_escape(images_[row])));
            observer_.progress("thumbnails", ++done_, images_.size());
        }
        page_.write("</div></section>\n");
    }

    AtomicFile &page_;
    const std::vector<std::string> &images_;
    const Grouping &grouping_;
    Observer &observer_;
    Thumbnails thumbnails_;
    std::size_t done_ = 0;
};

} // namespace

void write_contact_sheet(AtomicFile &page, const std::vector<std::string> &images,
                         const Grouping &grouping, const Agreement *agreement, Observer &observer) {
    page.write(page_head("Pictures by group"));
    page.write(fmt::format("<h1>{} in {}</h1>\n"
                           "<p>Click a picture to open it, and its path to select it for copying."
                           "</p>\n<nav>",
                           counted(images.size(), "picture"), counted(grouping.filled(), "group")));
    for (std::size_t group = 0; group < grouping.groups; ++group)
        if (grouping.summaries[group].size > 0)
            page.write(fmt::format("<a href=\"#group-{0}\">{0}</a>", group));
    page.write("</nav>\n");
    if (agreement != nullptr) page.write(table_of(*agreement));
    Sheet sheet(page, images, grouping, observer);
    for (std::size_t group = 0; group < grouping.groups; ++group) sheet.write_group(group);
    sheet.write_nowhere();
    sheet.report_missing();
    page.write(page_end);
}

} // namespace bowhist
