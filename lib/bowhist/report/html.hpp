#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// Text made safe inside HTML; bytes that are no UTF-8 become U+FFFD.
std::string html_escape(std::string_view path_bytes);

/// The same to be looked at: marks that change the direction of letters (Unicode's LRE to RLO, LRI to
/// PDI) become U+FFFD. With them a name could show another ending than it has.
std::string html_name(std::string_view path_bytes);

/// The path as part of a URL: every byte but letters, digits and -._~/ as %XX.
std::string url_escape(std::string_view path_bytes);

/// Base64 (RFC 4648), for data: URLs.
std::string base64(std::string_view bytes);

/// Elements of an SVG document, each a line of it, in pixels from the top left. `words` are
/// escaped; `attributes` are not.
std::string svg_text(double x, double y, std::string_view attributes, std::string_view words);
std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes);

} // namespace bowhist
