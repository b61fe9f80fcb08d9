#include "bench/report/roofline.hpp"
#include "bench/report/roofline_panel.hpp"

#include <bowhist/io/ending.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

using namespace roofline;

constexpr int legend_height = 60;

std::string draw_legend() {
    std::string drawn = svg_text(margin, margin + 14, "class=\"heading\"",
                                 "What each level reaches, and the roof it is under");
    double x = margin;
    const double y = margin + 26;
    for (const Roof roof : {Roof::fma, Roof::copy, Roof::matrix}) {
        const Color color = color_of(roof);
        drawn += draw_bar(x, x + 16, y, color.bar) + draw_bar(x + 16, x + 30, y, color.track);
        drawn += draw_tick(x + 30, y, color.bar);
        const std::string words = roof == Roof::fma    ? "fma: float32 multiply-adds"
                                  : roof == Roof::copy ? "copy: bytes read and written"
                                                       : "matrix: fp16 matrix units";
        drawn += svg_text(x + 38, y + 11, "class=\"roofs\"", words);
        x += 250;
    }
    return drawn;
}

constexpr std::string_view style = R"(<style>
text { font-family: system-ui, "DejaVu Sans", Arial, sans-serif; font-size: 12px; fill: #1c2733; }
.heading { font-size: 17px; font-weight: 600; }
.title { font-size: 14px; font-weight: 600; }
.roofs, .tick { fill: #5b6773; }
.tick { font-size: 11px; text-anchor: middle; }
.level { text-anchor: end; font-weight: 600; }
.number { text-anchor: end; font-variant-numeric: tabular-nums; }
.reason { fill: #7a838d; font-style: italic; }
</style>
)";

} // namespace

std::string roofline_svg(const std::vector<Group> &groups) {
    std::string panels;
    double y = margin + legend_height;
    for (const Group &group : groups) panels += draw_panel(group, y);
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                       "height=\"{1:.0f}\" viewBox=\"0 0 {0} {1:.0f}\">\n{2}"
                       "<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n{3}{4}</svg>\n",
                       width, y, style, draw_legend(), panels);
}

void write_roofline(AtomicFile &file, const std::vector<Group> &groups) {
    const std::string svg = roofline_svg(groups);
    if (ending_of(file.destination()) == ".svg")
        file.write(svg);
    else
        file.write(
            fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                        "<title>bowhist bench</title>\n<body style=\"margin: 0\">\n{}</body>\n"
                        "</html>\n",
                        svg));
    file.commit();
}

} // namespace bowhist
