#include <bowhist/report/html.hpp>
#include <bowhist/report/svg.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {

std::string svg_text(double x, double y, std::string_view attributes, std::string_view words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes,
                       html_escape(words));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                       y1, x2, y2, attributes);
}

std::string svg_rectangle(double x, double y, double width, double height, std::string_view fill) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
        std::max(1.0, width), height, fill);
}

} // namespace bowhist
