#pragma once

#include "bench/bench.hpp"

#include <string>

namespace bowhist {

// Shared by the plot of a bench and its panels. Sizes are in pixels.
namespace roofline {

constexpr int width = 1000;
constexpr int margin = 24;
constexpr int bar_height = 14;
constexpr int line_height = 18;

/// The color of a bar, and the lighter one of the rest up to its roof.
struct Color {
    const char *bar;
    const char *track;
};

Color color_of(Roof roof);

/// From one x to another; at least a pixel wide.
std::string draw_bar(double from, double to, double y, const char *fill);

/// The tick at a bar's end that stands for its roof.
std::string draw_tick(double x, double y, const char *stroke);

/// Draws a group's panel from `y` on and moves y to the panel's end. It uses the styles of the
/// document.
std::string draw_panel(const Group &group, double &y);

} // namespace roofline
} // namespace bowhist
