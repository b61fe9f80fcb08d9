#pragma once

#include <string>
#include <string_view>

namespace bowhist {

/// Appends a field as RFC 4180 wants it: one that holds a comma, a quote, CR or LF stands in
/// quotes, with its own quotes doubled; any other as it is.
void append_csv_field(std::string &line, std::string_view field);

} // namespace bowhist
