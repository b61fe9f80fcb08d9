#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace bowhist {

/// The number that is all of `text`, in any locale; empty for other text and for a number out of
/// range.
/// @param base  of a whole number; 10 by default
template <typename Number, typename... Base>
std::optional<Number> as_number(std::string_view text, Base... base) {
    Number number{};
    const char *const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number, base...);
    if (error != std::errc{} || read != end) return std::nullopt;
    return number;
}

} // namespace bowhist
