#include "bench/report/roofline_panel.hpp"
#include "bench/report/bench_text.hpp"
#include "bench/report/columns.hpp"

#include <bowhist/core/scaled.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace bowhist::roofline {
namespace {

constexpr double plot_left = plot_margin;
constexpr double plot_right = plot_width - plot_margin;
constexpr double bar_row = 22; ///< what a bar takes
constexpr std::size_t most_reason_lines = 4;

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

/// A row's bar in its roof's, and the whiskers; `top` is the bar's.
std::string draw_bars(const Measurement &row, const Axis &axis, double top) {
    const Figures &figures = *row.figures;
    const double amount = axis.amount(row.work);
    const double rate = amount / figures.seconds.median;
    const Roof roof = figures.roof ? figures.roof->roof : Roof::fma;
    std::string drawn;
    if (figures.roof) {
        const double roof_x = axis.x(rate_at_roof(figures, rate));
        drawn += draw_bar(plot_left, roof_x, top, roof, "track");
        drawn += draw_tick(roof_x, top, roof);
    }
    drawn += draw_bar(plot_left, axis.x(rate), top, roof, "bar");
    const double middle = top + bar_height / 2;
    return drawn + svg_line(axis.x(amount / figures.seconds.most), middle,
                            axis.x(amount / figures.seconds.least), middle, "class=\"range\"");
}

/// "14.47 TFLOP/s, 43.1 % of matrix"
std::string figures_of(const Measurement &row, const Axis &axis) {
    std::string text = axis.rate().cell(row) + std::string(axis.rate().heading);
    if (row.figures->roof)
        text += fmt::format(", {:.1f} % of {}", 100 * row.figures->roof->fraction,
                            name_of(row.figures->roof->roof));
    return text;
}

std::string reason_of(const Measurement &row) {
    return row.obstacle.empty() ? "failed: " + row.error : "unsupported, because " + row.obstacle;
}

/// A row: its name, its figures at the right or below where both have no room, its bar.
std::string draw_row(const Measurement &row, const Axis &axis, double &y) {
    const std::string name = column("level").cell(row);
    std::string drawn;
    y += 4;
    double beside = y;
    drawn += draw_lines(name, y, "level");
    if (!row.figures) return drawn + draw_lines(reason_of(row), y, "reason", most_reason_lines);
    const std::string figures = figures_of(row, axis);
    if (1.1 * text_width(name) + text_width(figures) + 8 < plot_right - plot_left)
        std::swap(beside, y);
    drawn += svg_text(plot_right, y + line_height - 4, "class=\"quiet right\"", figures);
    y = std::max(y + line_height, beside) + 3;
    drawn += draw_bars(row, axis, y);
    y += bar_row;
    return drawn;
}

std::string draw_axis(const Axis &axis, double top, double bottom) {
    const std::string unit(axis.rate().heading);
    std::string drawn;
    // the longest text is "100 GFLOP/s"; those at the ends stand within the plot
    for (const double decade : decade_ticks(axis.least, axis.most, 4)) {
        const double x = axis.x(decade);
        const std::string text = scaled(decade) + unit;
        const double half = text_width(text, 11) / 2;
        const char *place = x - half < 0            ? "tick"
                            : x + half > plot_width ? "tick right"
                                                    : "tick middle";
        drawn += svg_line(x, top, x, bottom, "class=\"grid-line\"");
        drawn += svg_text(x, bottom + 14, fmt::format("class=\"{}\"", place), text);
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

const char *class_of(Roof roof) {
    return roof == Roof::fma ? "fma" : roof == Roof::copy ? "copy" : "matrix";
}

std::string draw_bar(double from, double to, double y, Roof roof, const char *kind) {
    return fmt::format("<rect class=\"{} {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                       "height=\"{:.1f}\" rx=\"2\"/>\n",
                       kind, class_of(roof), from, y, std::max(1.0, to - from), bar_height);
}

std::string draw_tick(double x, double y, Roof roof) {
    return svg_line(x, y - 3, x, y + bar_height + 3,
                    fmt::format("class=\"roof {}\"", class_of(roof)));
}

std::string draw_lines(std::string_view text, double &y, const char *css_class,
                       std::size_t most_lines) {
    std::string drawn;
    const double size = std::string_view(css_class) == "title" ? 14 : plot_text;
    for (const std::string &line : wrapped(text, plot_right - plot_left, most_lines, size)) {
        drawn += svg_text(plot_margin, y + line_height - 4, fmt::format("class=\"{}\"", css_class),
                          line);
        y += line_height;
    }
    return drawn;
}

std::string draw_panel(const Group &group, double &y) {
    const Axis axis = axis_of(group);
    std::string drawn = draw_lines(title_of(group), y, "title");
    for (const std::string &roofs : roof_lines(group)) drawn += draw_lines(roofs, y, "quiet");
    y += 6;
    const double top = y;
    std::string rows;
    bool has_bars = false;
    for (const Measurement &row : group.measurements) {
        if (row.is_peak()) continue;
        rows += draw_row(row, axis, y);
        has_bars |= row.figures.has_value();
    }
    if (has_bars) {
        drawn += draw_axis(axis, top, y);
        y += line_height + 4;
    }
    drawn += rows;
    for (const std::string &line : lines_above(group.measurements))
        drawn += draw_lines(line, y, "quiet");
    y += line_height;
    return drawn;
}

} // namespace bowhist::roofline
