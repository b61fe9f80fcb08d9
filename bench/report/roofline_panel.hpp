#pragma once

#include "bench/bench.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bowhist {

// Shared by the plot of a bench and its panels. Sizes are in units of report/plot.hpp.
namespace roofline {

constexpr double bar_height = 12;
constexpr double line_height = 17;

/// The class of look/plot.css that has a roof's color.
const char *class_of(Roof roof);

/// A bar from one x to another, at least a pixel wide.
/// @param kind  "bar", or "track" of the rest up to its roof
std::string draw_bar(double from, double to, double y, Roof roof, const char *kind);

/// The tick at a bar's end that stands for its roof.
std::string draw_tick(double x, double y, Roof roof);

/// Lines of text from `y` on, in as many as they need; moves y behind them.
std::string draw_lines(std::string_view text, double &y, const char *css_class,
                       std::size_t most_lines = 12);

/// Draws a group's panel from `y` on and moves y to the panel's end. It uses the styles of the
/// document.
std::string draw_panel(const Group &group, double &y);

} // namespace roofline
} // namespace bowhist
