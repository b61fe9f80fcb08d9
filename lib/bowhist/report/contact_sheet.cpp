#include <bowhist/core/counted.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

/// The images of one group, nearest to its center first.
std::vector<std::size_t> members(const Grouping &grouping, std::size_t group) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < grouping.group.size(); ++row)
        if (grouping.group[row] == static_cast<std::int32_t>(group)) rows.push_back(row);
    std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return grouping.distance[row]; });
    return rows;
}

} // namespace

void write_contact_sheet(AtomicFile &page, const std::vector<std::string> &images,
                         const Grouping &grouping, Observer &observer) {
    page.write(page_head("Pictures by group"));
    page.write(fmt::format("<h1>{} in {}</h1>\n"
                           "<p>Click a picture to open it, and its path to select it for copying."
                           "</p>\n<nav>",
                           counted(images.size(), "picture"), counted(grouping.groups, "group")));
    for (std::size_t group = 0; group < grouping.groups; ++group)
        page.write(fmt::format("<a href=\"#group-{0}\">{0}</a>", group));
    page.write("</nav>\n");
    std::size_t done = 0;
    Thumbnails thumbnails(page.destination(), observer);
    for (std::size_t group = 0; group < grouping.groups; ++group) {
        const std::vector<std::size_t> rows = members(grouping, group);
        page.write(fmt::format("<section id=\"group-{0}\"><h2>Group {0} <small>{1}</small></h2>\n"
                               "<div class=\"sheet\">\n",
                               group, counted(rows.size(), "picture")));
        for (const std::size_t row : rows) {
            observer.stop_if_interrupted();
            page.write(fmt::format("<figure title=\"{}&#10;distance {:.3f}\">{}<figcaption>{}"
                                   "</figcaption></figure>\n",
                                   html_escape(images[row]), grouping.distance[row],
                                   thumbnails.make(images[row]), html_escape(images[row])));
            observer.progress("thumbnails", ++done, images.size());
        }
        page.write("</div></section>\n");
    }
    thumbnails.report_missing(images.size());
    page.write(page_end);
}

} // namespace bowhist
