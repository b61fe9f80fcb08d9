#include <bowhist/report/html.hpp>
#include <bowhist/report/plot.hpp>
#include <bowhist/report/training_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace bowhist {
namespace {

constexpr double panel_height = 200;
constexpr double curve_top = 38;     // below a panel's top
constexpr double curve_bottom = 166; // above its iterations

/// An axis from the first of its ticks to the last.
struct Ticks {
    std::vector<double> at; ///< rising
    std::vector<std::string> texts;
};

struct Panel {
    std::string_view title;
    std::vector<double> values = {}; ///< of each iteration
    Ticks ticks = {};
    std::function<double(double)> shown = [](double value) { return value; }; ///< on its axis
};

/// Draws a panel from y on.
class Drawing {
  public:
    Drawing(double y, const Panel &panel, const Ticks &iterations)
        : y_(y), panel_(panel), iterations_(iterations) {
        double widest = 0;
        for (const std::string &text : panel.ticks.texts)
            widest = std::max(widest, text_width(text, 11));
        left_ = plot_margin + widest + 8;
    }

    std::string draw() const {
        std::string drawn = svg_text(plot_margin, y_ + 20, "class=\"title\"", panel_.title);
        const Ticks &ticks = panel_.ticks;
        for (std::size_t i = 0; i < ticks.at.size(); ++i) {
            const double at = y_of(ticks.at[i]);
            drawn += svg_line(left_, at, right, at, "class=\"grid-line\"");
            drawn += svg_text(left_ - 8, at + 4, "class=\"tick right\"", ticks.texts[i]);
        }
        for (std::size_t i = 0; i < iterations_.at.size(); ++i)
            drawn += svg_text(x_of(iterations_.at[i]), y_ + panel_height - 16,
                              "class=\"tick middle\"", iterations_.texts[i]);
        return drawn + curve();
    }

  private:
    static constexpr double right = plot_width - plot_margin - 8;

    double x_of(double iteration) const {
        return left_ + iteration / iterations_.at.back() * (right - left_);
    }
    double y_of(double value) const {
        const double least = panel_.shown(panel_.ticks.at.front());
        const double most = panel_.shown(panel_.ticks.at.back());
        const double share = (panel_.shown(value) - least) / (most - least);
        return y_ + curve_bottom - share * (curve_bottom - curve_top);
    }

    std::string curve() const {
        std::string points;
        const std::vector<double> &values = panel_.values;
        for (std::size_t i = 0; i < values.size(); ++i)
            points += fmt::format("{:.1f},{:.1f} ", x_of(static_cast<double>(i)), y_of(values[i]));
        return fmt::format("<polyline class=\"curve\" points=\"{}\"/>\n<circle class=\"point\" "
                           "cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n",
                           points, x_of(static_cast<double>(values.size() - 1)),
                           y_of(values.back()));
    }

    double y_;
    const Panel &panel_;
    const Ticks &iterations_;
    double left_;
};

Ticks linear(double least, double most, std::size_t steps, double smallest = 0) {
    Ticks ticks{round_ticks(least, most, steps, smallest), {}};
    ticks.texts = tick_texts(ticks.at);
    return ticks;
}

/// 0, and powers of ten alike far apart, the last of them at least `most`.
Ticks powers(double most) {
    constexpr int most_ticks = 5;
    int decades = 1;
    while (std::pow(10.0, decades) < most) ++decades;
    const int step = (decades + most_ticks - 1) / most_ticks;
    Ticks ticks{{0}, {"0"}};
    for (int power = step; power < decades + step; power += step) {
        ticks.at.push_back(std::pow(10.0, power));
        ticks.texts.push_back(tick_texts({ticks.at.back()}).front());
    }
    return ticks;
}

} // namespace

void write_training_plot(AtomicFile &file, const std::vector<Iteration> &course) {
    Panel inertia{.title = "Inertia by iteration"};
    Panel moved{.title = "Descriptors whose word moved, logarithmic",
                .shown = [](double value) { return std::log10(value + 1); }};
    for (const Iteration &iteration : course) {
        inertia.values.push_back(iteration.inertia);
        moved.values.push_back(static_cast<double>(iteration.moved));
    }
    const auto [least, most] = std::ranges::minmax(inertia.values);
    inertia.ticks = linear(least, most, 4);
    moved.ticks = powers(std::ranges::max(moved.values));
    const Ticks iterations = linear(0, static_cast<double>(course.size() - 1), 6, 1);
    file.write(plot_document(2 * panel_height, "The course of a training",
                             Drawing(0, inertia, iterations).draw() +
                                 Drawing(panel_height, moved, iterations).draw()));
    file.commit();
}

} // namespace bowhist
