#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// How text in UTF-16 or UTF-32 lies in bytes.
struct WideForm {
    std::size_t width; ///< of a unit, in bytes
    bool big_endian;
};

/// The form of text that begins with `bytes`, by the ASCII letters in the first 64 KiB: there are
/// three in a row, or two that end a line or follow a byte order mark. Empty for other bytes.
std::optional<WideForm> wide_form(std::string_view bytes);

/// Wide text as UTF-8, with its byte order mark if it has one. A NUL stands for what is no letter:
/// half of a surrogate pair, or an end with too few bytes.
std::string as_utf8(std::string_view bytes, const WideForm &form);

/// Whether `bytes` end within a surrogate pair.
bool ends_in_pair(std::string_view bytes, const WideForm &form);

/// Empty where `bytes` are no wide text.
inline std::optional<std::string> wide_as_utf8(std::string_view bytes) {
    const auto form = wide_form(bytes);
    return form ? std::optional(as_utf8(bytes, *form)) : std::nullopt;
}

} // namespace bowhist
