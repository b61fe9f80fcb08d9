#include <bowhist/report/plot.hpp>

#include <bowhist/report/html.hpp>
#include <bowhist/report/look/look.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace bowhist {
namespace {

constexpr double letter_width = 0.62; ///< of DejaVu Sans, which is wide

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::size_t characters_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

/// The bytes of the first `characters`.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
    std::size_t bytes = 0;
    for (; bytes < text.size(); ++bytes)
        if (begins_character(text[bytes]) && characters-- == 0) break;
    return bytes;
}

/// The bytes of the first line: up to the last blank in it, or all that have room.
std::size_t bytes_of_line(std::string_view text, std::size_t characters) {
    const std::size_t most = bytes_of(text, characters);
    if (most == text.size()) return most;
    const std::size_t blank = text.substr(0, most + 1).rfind(' ');
    return blank == text.npos || blank == 0 ? most : blank;
}

/// 1, 2 or 5 times a power of ten: the smallest that is not below.
double round_up_step(double step) {
    const double power = std::pow(10.0, std::floor(std::log10(step)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= step * (1 - 1e-9)) return digit * power;
    return 10 * power;
}

std::string svg_element(double height, std::string_view attributes, std::string_view title,
                        std::string_view drawn) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" "
                       "viewBox=\"0 0 {:.0f} {:.0f}\"{}>\n<title>{}</title>\n{}</svg>\n",
                       plot_width, height, attributes, html_escape(title), drawn);
}

} // namespace

double text_width(std::string_view utf8, double size) {
    return letter_width * size * static_cast<double>(characters_in(utf8));
}

std::vector<std::string> wrapped(std::string_view utf8, double room, std::size_t most_lines,
                                 double size) {
    const auto most =
        std::max<std::size_t>(3, static_cast<std::size_t>(room / (letter_width * size)));
    std::vector<std::string> lines;
    while (!utf8.empty()) {
        std::size_t bytes = bytes_of_line(utf8, most);
        if (lines.size() + 1 == most_lines && bytes < utf8.size()) {
            bytes = bytes_of(utf8, most - 2);
            lines.push_back(std::string(utf8.substr(0, bytes)) + " …");
            break;
        }
        lines.emplace_back(utf8.substr(0, bytes));
        utf8.remove_prefix(std::min(
            utf8.size(), utf8[std::min(bytes, utf8.size() - 1)] == ' ' ? bytes + 1 : bytes));
    }
    return lines;
}

std::vector<double> round_ticks(double least, double most, std::size_t most_steps,
                                double smallest) {
    double range = most - least;
    if (!(range > 0)) range = std::max(std::abs(most), 1.0) / 100; // a constant: ticks around it
    const double step = std::max(round_up_step(range / static_cast<double>(most_steps)), smallest);
    const double first = std::floor(least / step + 1e-9);
    const double last = std::max(std::ceil(most / step - 1e-9), first + 1);
    std::vector<double> ticks;
    for (double i = first; i <= last; ++i) ticks.push_back(i * step);
    return ticks;
}

std::vector<double> decade_ticks(double least, double most, std::size_t most_ticks) {
    const auto decades = static_cast<std::size_t>(std::lround(std::log10(most / least)));
    const std::size_t step = decades / most_ticks + 1;
    const double first = std::round(std::log10(least));
    std::vector<double> ticks;
    for (std::size_t i = 0; i <= decades; i += step)
        ticks.push_back(std::pow(10.0, first + static_cast<double>(i)));
    return ticks;
}

std::vector<std::string> tick_texts(const std::vector<double> &ticks) {
    constexpr std::array<std::pair<double, const char *>, 5> prefixes = {
        {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e4, " k"}, {0, ""}}};
    double largest = 0;
    for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
    const double step = ticks.size() < 2 ? largest : std::abs(ticks[1] - ticks[0]);
    auto [size, prefix] = *std::ranges::find_if(
        prefixes, [&](const auto &one) { return largest >= one.first * (1 - 1e-9); });
    size = size == 0 ? 1 : size == 1e4 ? 1e3 : size;
    const int digits =
        step > 0 ? static_cast<int>(std::max(0.0, -std::floor(std::log10(step / size) + 1e-9))) : 0;
    const int all_digits = step > 0 ? static_cast<int>(std::log10(largest / step) + 2) : 3;
    std::vector<std::string> texts;
    for (const double tick : ticks)
        if (digits > 6)
            texts.push_back(fmt::format("{:.{}g}", tick, all_digits));
        else
            texts.push_back(fmt::format("{:.{}f}{}", tick / size, digits, tick == 0 ? "" : prefix));
    return texts;
}

std::string plot_in_page(double height, std::string_view title, std::string_view drawn) {
    return svg_element(height, "", title, drawn);
}

std::string plot_document(double height, std::string_view title, std::string_view drawn) {
    const std::string ground = fmt::format(
        "<style>\n{}</style>\n<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n",
        plot_css.text, plot_width, height);
    constexpr double scale = 1.6; // of a screen that is wider than a phone
    return svg_element(
        height,
        fmt::format(" width=\"{:.0f}\" height=\"{:.0f}\"", scale * plot_width, scale * height),
        title, ground + std::string(drawn));
}

} // namespace bowhist
