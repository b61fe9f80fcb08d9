#include <bowhist/report/html.hpp>
#include <bowhist/report/svg.hpp>

#include <fmt/format.h>

namespace bowhist {

std::string svg_text(double x, double y, std::string_view attributes, std::string_view words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes,
                       html_escape(words));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                       y1, x2, y2, attributes);
}

} // namespace bowhist
