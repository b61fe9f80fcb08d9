#include "bench/report/roofline_panel.hpp"
#include "bench/report/bench_text.hpp"
#include "bench/report/columns.hpp"

#include <bowhist/core/scaled.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace bowhist::roofline {
namespace {

constexpr int plot_left = 150;  // the levels' names lie left of it
constexpr int plot_right = 740; // the figures lie right of it
constexpr int row_height = 26;
constexpr std::size_t longest_reason = 112; // characters that fit behind a name

/// A panel's axis: operations a second, or bytes if no row is bound by arithmetic.
struct Axis {
    bool bytes = false;
    double least = 1; ///< decades
    double most = 10;

    double amount(const Work &work) const { return bytes ? work.bytes() : work.operations; }
    const Column &rate() const { return column(bytes ? "gigabytes_per_second" : "teraflops"); }
    double x(double rate) const {
        const double share = std::log10(rate / least) / std::log10(most / least);
        return plot_left + (plot_right - plot_left) * std::clamp(share, 0.0, 1.0);
    }
};

/// The rate that a row could reach at most: its own, scaled up to the roof.
double rate_at_roof(const Figures &figures, double rate) {
    return figures.roof ? rate / figures.roof->fraction : rate;
}

Axis axis_of(const Group &group) {
    Axis axis;
    axis.bytes = std::ranges::none_of(group.measurements, [](const Measurement &row) {
        return row.figures && row.figures->roof && row.figures->roof->roof != Roof::copy;
    });
    double least = std::numeric_limits<double>::max();
    double most = 0;
    for (const Measurement &row : group.measurements) {
        if (row.is_peak() || !row.figures || axis.amount(row.work) <= 0) continue;
        const double rate = axis.amount(row.work) / row.figures->seconds.median;
        least = std::min(least, axis.amount(row.work) / row.figures->seconds.most);
        most = std::max({most, axis.amount(row.work) / row.figures->seconds.least,
                         rate_at_roof(*row.figures, rate)});
    }
    if (most > 0) {
        axis.least = std::pow(10.0, std::ceil(std::log10(least)) - 1);
        axis.most = std::pow(10.0, std::floor(std::log10(most)) + 1);
        axis.least =
            std::min(axis.least, axis.most / 100); // so that small differences do not look large
    }
    return axis;
}

/// A row's bar in its roof's, the whiskers, and the figures behind it; `y` is the row's top.
std::string draw_figures(const Measurement &row, const Axis &axis, double y) {
    const Figures &figures = *row.figures;
    const double amount = axis.amount(row.work);
    const double rate = amount / figures.seconds.median;
    const double roof_x = axis.x(rate_at_roof(figures, rate));
    const double top = y + (row_height - bar_height) / 2.0;
    const double middle = y + row_height / 2.0;
    const Color color = color_of(figures.roof ? figures.roof->roof : Roof::fma);
    std::string drawn;
    if (figures.roof) {
        drawn += draw_bar(plot_left, roof_x, top, color.track);
        drawn += draw_tick(roof_x, top, color.bar);
    }
    drawn += draw_bar(plot_left, axis.x(rate), top, color.bar);
    drawn += svg_line(axis.x(amount / figures.seconds.most), middle,
                      axis.x(amount / figures.seconds.least), middle,
                      "stroke=\"#1c2733\" stroke-width=\"1.5\"");
    const std::string share = figures.roof
                                  ? fmt::format("{:.1f} % of {}", 100 * figures.roof->fraction,
                                                name_of(figures.roof->roof))
                                  : "";
    drawn += svg_text(plot_right + 110, middle + 4, "class=\"number\"",
                      axis.rate().cell(row) + std::string(axis.rate().heading));
    drawn += svg_text(width - margin, middle + 4, "class=\"number\"", share);
    return drawn;
}

/// The bytes that the first `characters` of a UTF-8 text take: the bytes of one stay together.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
    std::size_t bytes = 0;
    for (; bytes < text.size(); ++bytes) {
        const bool begins = (static_cast<unsigned char>(text[bytes]) & 0xC0U) != 0x80U;
        if (begins && characters-- == 0) break;
    }
    return bytes;
}

std::string draw_row(const Measurement &row, const Axis &axis, double y) {
    const double baseline = y + row_height / 2.0 + 4;
    std::string drawn =
        svg_text(plot_left - 10, baseline, "class=\"level\"", column("level").cell(row));
    if (row.figures) return drawn + draw_figures(row, axis, y);
    std::string reason =
        row.obstacle.empty() ? "failed: " + row.error : "unsupported, because " + row.obstacle;
    const std::size_t fitting = bytes_of(reason, longest_reason);
    if (fitting < reason.size()) reason = reason.substr(0, fitting) + " …";
    return drawn + svg_text(plot_left + 4, baseline, "class=\"reason\"", reason);
}

std::string draw_axis(const Axis &axis, double top, double bottom) {
    std::string drawn;
    for (double decade = axis.least; decade <= axis.most * 1.001; decade *= 10) {
        drawn += svg_line(axis.x(decade), top, axis.x(decade), bottom, "stroke=\"#dfe3e8\"");
        drawn += svg_text(axis.x(decade), bottom + 14, "class=\"tick\"",
                          scaled(decade) + std::string(axis.rate().heading));
    }
    return drawn;
}

std::string title_of(const Group &group) {
    const auto first = std::ranges::find_if_not(group.measurements, &Measurement::is_peak);
    if (first == group.measurements.end()) return std::string(group.operation->id);
    const std::string words = group.k > 0 ? fmt::format("k = {}, ", first->subject.k) : "";
    return fmt::format("{}, {}d = {}", group.operation->id, words, first->subject.d);
}

} // namespace

Color color_of(Roof roof) {
    constexpr Color fma = {"#2f6db3", "#d8e5f4"};
    constexpr Color copy = {"#23895f", "#d3ecdf"};
    constexpr Color matrix = {"#b8501c", "#f8e0d2"};
    return roof == Roof::fma ? fma : roof == Roof::copy ? copy : matrix;
}

std::string draw_bar(double from, double to, double y, const char *fill) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", from,
        y, std::max(1.0, to - from), double{bar_height}, fill);
}

std::string draw_tick(double x, double y, const char *stroke) {
    return svg_line(x, y - 3, x, y + bar_height + 3,
                    fmt::format("stroke=\"{}\" stroke-width=\"2\"", stroke));
}

std::string draw_panel(const Group &group, double &y) {
    const Axis axis = axis_of(group);
    std::string drawn = svg_text(margin, y + line_height, "class=\"title\"", title_of(group));
    y += line_height + 4;
    for (const std::string &roofs : roof_lines(group)) {
        drawn += svg_text(margin, y + line_height - 4, "class=\"roofs\"", roofs);
        y += line_height;
    }
    y += 6;
    const auto rows = std::ranges::count_if(group.measurements,
                                            [](const Measurement &row) { return !row.is_peak(); });
    drawn += draw_axis(axis, y, y + static_cast<double>(rows) * row_height);
    for (const Measurement &row : group.measurements) {
        if (row.is_peak()) continue;
        drawn += draw_row(row, axis, y);
        y += row_height;
    }
    y += line_height + 8;
    for (const std::string &line : lines_above(group.measurements)) {
        drawn += svg_text(margin, y + line_height - 4, "class=\"roofs\"", line);
        y += line_height;
    }
    y += line_height;
    return drawn;
}

} // namespace bowhist::roofline
