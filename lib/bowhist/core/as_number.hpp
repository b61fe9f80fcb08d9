#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace bowhist {

/// The number that is all of `text`, whatever the locale; nothing where there is none, or one that
/// is out of range.
/// @param base  of a whole number, when it is not 10
template <typename Number, typename... Base>
std::optional<Number> as_number(std::string_view text, Base... base) {
    Number number{};
    const char *const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number, base...);
    if (error != std::errc{} || read != end) return std::nullopt;
    return number;
}

} // namespace bowhist
