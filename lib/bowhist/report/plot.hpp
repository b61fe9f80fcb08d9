#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Parts that plots share. A plot is 400 units wide, so that on a phone a unit is about a pixel; on
// a wider screen it grows. Colors are classes of look/plot.css, light and dark.

namespace bowhist {

inline constexpr double plot_width = 400;
inline constexpr double plot_margin = 12;
inline constexpr double plot_text = 12; ///< size of its letters

/// How wide a text may be: an upper bound for usual letters of sans-serif fonts.
double text_width(std::string_view utf8, double size = plot_text);

/// The text in lines that have room; " …" ends the last one where there would be more.
std::vector<std::string> wrapped(std::string_view utf8, double room, std::size_t most_lines,
                                 double size = plot_text);

/// Values on a linear axis: multiples of a step of 1, 2 or 5 times a power of ten. The first is at
/// most `least` and the last at least `most`.
/// @param most_steps  about that many, one more at most
/// @param smallest    of a step: 1 for whole numbers; 0: any
std::vector<double> round_ticks(double least, double most, std::size_t most_steps,
                                double smallest = 0);

/// Powers of ten on a logarithmic axis from one power of ten to another: all, or every second,
/// third … so that there are at most `most_ticks`.
std::vector<double> decade_ticks(double least, double most, std::size_t most_ticks);

/// Texts of round ticks, with one prefix and as many digits as their step needs: "1.25 M".
std::vector<std::string> tick_texts(const std::vector<double> &ticks);

/// A drawing in a page whose head has plot_css.
/// @param title  for who cannot see it
std::string plot_in_page(double height, std::string_view title, std::string_view drawn);

/// A file of its own: SVG in UTF-8.
std::string plot_document(double height, std::string_view title, std::string_view drawn);

} // namespace bowhist
