#include "bench/report/roofline.hpp"
#include "bench/report/roofline_panel.hpp"

#include <bowhist/io/ending.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>
#include <bowhist/report/page.hpp>
#include <bowhist/report/plot.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

using namespace roofline;

constexpr const char *title = "What each level reaches of its roof";

std::string draw_legend(double &y) {
    std::string drawn;
    for (const Roof roof : {Roof::fma, Roof::copy, Roof::matrix}) {
        constexpr double x = plot_margin;
        y += 4;
        drawn += draw_bar(x, x + 30, y, roof, "track") + draw_bar(x, x + 16, y, roof, "bar");
        drawn += draw_tick(x + 30, y, roof);
        const std::string words = roof == Roof::fma    ? "fma: float32 multiply-adds"
                                  : roof == Roof::copy ? "copy: bytes read and written"
                                                       : "matrix: fp16 matrix units";
        drawn += svg_text(x + 40, y + 10, "class=\"quiet\"", words);
        y += line_height;
    }
    return drawn;
}

} // namespace

std::string roofline_svg(const std::vector<Group> &groups) {
    double y = plot_margin;
    std::string drawn = draw_lines(title, y, "title");
    drawn += draw_legend(y);
    y += line_height;
    for (const Group &group : groups) drawn += draw_panel(group, y);
    return plot_document(y, title, drawn);
}

std::string roofline_page(const std::vector<Group> &groups) {
    std::string page =
        page_head({.title = "bowhist bench", .filter = "Filter operations", .styles = {&plot_css}});
    double y = plot_margin;
    const std::string legend = draw_legend(y);
    page += fmt::format("<h1>{}</h1>\n{}", title, plot_in_page(y, "Colors of roofs", legend));
    for (const Group &group : groups) {
        y = plot_margin;
        const std::string panel = draw_panel(group, y);
        page += fmt::format("<section data-item data-name=\"{0}\">{1}</section>\n",
                            html_escape(group.operation->id),
                            plot_in_page(y, group.operation->id, panel));
    }
    page += page_end;
    return page;
}

void write_roofline(AtomicFile &file, const std::vector<Group> &groups) {
    file.write(ending_of(file.destination()) == ".svg" ? roofline_svg(groups)
                                                       : roofline_page(groups));
    file.commit();
}

} // namespace bowhist
