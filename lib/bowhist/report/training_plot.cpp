#include <bowhist/report/html.hpp>
#include <bowhist/report/training_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace bowhist {
namespace {

constexpr double width = 720;
constexpr double panel_height = 200;
constexpr double left = 90;
constexpr double right = 24;
constexpr double top = 44; // of a panel's curve below its title

constexpr std::string_view style = R"(<style>
text { font-family: system-ui, "DejaVu Sans", Arial, sans-serif; font-size: 12px; fill: #1c2733; }
.title { font-size: 14px; font-weight: 600; }
.tick { fill: #5b6773; text-anchor: end; }
.middle { fill: #5b6773; text-anchor: middle; }
</style>
)";

/// Where numbers lie in a panel.
struct Scale {
    double y; ///< of the panel
    double least;
    double most;
    std::size_t last; ///< iteration

    double x_of(std::size_t iteration) const {
        const auto share =
            static_cast<double>(iteration) / static_cast<double>(std::max<std::size_t>(last, 1));
        return left + share * (width - left - right);
    }
    double y_of(double value) const {
        const double share = most > least ? (value - least) / (most - least) : 0.5;
        return y + top + (1 - share) * (panel_height - top - 30);
    }
};

/// @param shown  what a tick says of a number
std::string draw_panel(double y, std::string_view title, const std::vector<double> &values,
                       const std::function<std::string(double)> &shown) {
    const auto [least, most] = std::ranges::minmax(values);
    const Scale scale{y, least, most, values.size() - 1};
    std::string drawn = svg_text(left, y + 26, "class=\"title\"", title);
    for (const double value : {least, (least + most) / 2, most}) {
        const double at = scale.y_of(value);
        drawn += svg_line(left, at, width - right, at, "stroke=\"#e3e8ec\"");
        drawn += svg_text(left - 8, at + 4, "class=\"tick\"", shown(value));
    }
    std::string points;
    for (std::size_t i = 0; i < values.size(); ++i)
        points += fmt::format("{:.1f},{:.1f} ", scale.x_of(i), scale.y_of(values[i]));
    drawn += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#1f6fb4\" "
                         "stroke-width=\"2\"/>\n",
                         points);
    for (const std::size_t i : std::set{std::size_t{0}, scale.last / 2, scale.last})
        drawn +=
            svg_text(scale.x_of(i), y + panel_height - 8, "class=\"middle\"", fmt::format("{}", i));
    return drawn;
}

} // namespace

void write_training_plot(AtomicFile &file, const std::vector<Iteration> &course) {
    std::vector<double> inertia;
    std::vector<double> moved;
    for (const Iteration &iteration : course) {
        inertia.push_back(iteration.inertia);
        moved.push_back(std::log10(static_cast<double>(iteration.moved) + 1));
    }
    const auto number = [](double value) { return fmt::format("{:.5g}", value); };
    const auto power = [](double value) { return fmt::format("{:.0f}", std::pow(10, value) - 1); };
    file.write(fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n{2}"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n{3}{4}</svg>\n",
        width, 2 * panel_height, style, draw_panel(0, "Inertia by iteration", inertia, number),
        draw_panel(panel_height, "Descriptors whose word moved (logarithmic)", moved, power)));
    file.commit();
}

} // namespace bowhist
