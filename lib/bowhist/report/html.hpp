#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// Text made safe inside HTML; bytes that are no UTF-8 become U+FFFD.
std::string html_escape(std::string_view path_bytes);

/// The path as part of a URL: every byte but letters, digits and -._~/ as %XX.
std::string url_escape(std::string_view path_bytes);

/// Base64 (RFC 4648), for data: URLs.
std::string base64(std::string_view bytes);

} // namespace bowhist
