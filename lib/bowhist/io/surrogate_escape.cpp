#include <bowhist/io/surrogate_escape.hpp>

#include <bowhist/core/as_number.hpp>

#include <cstddef>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace bowhist {

namespace {

bool is_escape(char32_t letter) {
    return letter >= 0xdc80 && letter <= 0xdcff;
}
bool is_surrogate(char32_t letter) {
    return letter >= 0xd800 && letter <= 0xdfff;
}

/// The number of bytes in the sequence that begins with `first`; 0 where no sequence does.
std::size_t sequence_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return 2;
    if (first >= 0xe0 && first < 0xf0) return 3;
    if (first >= 0xf0 && first < 0xf5) return 4;
    return 0;
}

/// The code point at the beginning of `bytes`; empty for invalid UTF-8: cut off, longer than
/// needed, a surrogate or beyond U+10FFFF.
std::optional<char32_t> first_code_point(std::string_view bytes, std::size_t length) {
    if (length == 0 || length > bytes.size()) return std::nullopt;
    const auto first = static_cast<unsigned char>(bytes[0]);
    if (length == 1) return first;
    char32_t letter = first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if ((byte & 0xc0U) != 0x80) return std::nullopt;
        letter = letter << 6U | (byte & 0x3fU);
    }
    const bool too_long = (length == 3 && letter < 0x800) || (length == 4 && letter < 0x10000);
    if (too_long || is_surrogate(letter) || letter > 0x10ffff) return std::nullopt;
    return letter;
}

void append_utf8(std::string &bytes, char32_t letter) {
    const unsigned length = letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
    const auto bits = [&](unsigned byte) { return letter >> 6 * (length - 1 - byte); };
    bytes += static_cast<char>(length == 1 ? letter : (0xff00U >> length | bits(0)));
    for (unsigned byte = 1; byte < length; ++byte)
        bytes += static_cast<char>(0x80U | (bits(byte) & 0x3fU));
}

/// The number in the first `digits` characters; empty unless all are hexadecimal.
std::optional<unsigned> hexadecimal(std::string_view text, std::size_t digits) {
    if (text.size() < digits) return std::nullopt;
    return as_number<unsigned>(text.substr(0, digits), 16);
}

/// The number of an escape `\uXXXX` at the beginning of `json`; empty where there is no escape.
std::optional<unsigned> unicode_escape(std::string_view json) {
    return json.starts_with("\\u") ? hexadecimal(json.substr(2), 4) : std::nullopt;
}

/// The byte from 0x80 on in the first two characters, in hexadecimal; empty for others.
std::optional<char> escaped_byte(std::string_view text) {
    const auto number = hexadecimal(text, 2);
    if (!number || *number < 0x80) return std::nullopt;
    return static_cast<char>(*number);
}

/// Characters consumed and their replacement; `taken == 0` leaves the text unchanged.
struct Rewriting {
    std::size_t taken = 0;
    std::string text = {};
};

/// `json` with `rewrite` applied wherever an escape may begin.
template <typename Rewrite>
std::string rewritten(std::string_view json, const Rewrite &rewrite) {
    std::string result;
    result.reserve(json.size());
    while (!json.empty()) {
        Rewriting next = rewrite(json);
        if (next.taken == 0) { // the second backslash of `\\\\udc80` starts nothing
            next.taken = json[0] == '\\' && json.size() > 1 ? 2 : 1;
            next.text = json.substr(0, next.taken);
        }
        result += next.text;
        json.remove_prefix(next.taken);
    }
    return result;
}

} // namespace

std::u32string decode_path(std::string_view bytes) {
    std::u32string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto first = static_cast<unsigned char>(bytes[0]);
        const std::size_t length = sequence_length(first);
        const auto letter = first_code_point(bytes, length);
        text += letter.value_or(0xdc00U + first);
        bytes.remove_prefix(letter ? length : 1);
    }
    return text;
}

std::string encode_path(std::u32string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (const char32_t letter : text) {
        if (is_escape(letter)) {
            bytes += static_cast<char>(letter - 0xdc00);
        } else {
            append_utf8(bytes, is_surrogate(letter) || letter > 0x10ffff ? 0xfffd : letter);
        }
    }
    return bytes;
}

std::string protect_bytes(std::string_view path_bytes) {
    std::string text;
    text.reserve(path_bytes.size());
    for (const char32_t letter : decode_path(path_bytes)) {
        if (is_escape(letter)) {
            text += '\0';
            text += fmt::format("{:02x}", static_cast<std::uint32_t>(letter - 0xdc00));
        } else {
            append_utf8(text, letter);
        }
    }
    return text;
}

std::string protect_escapes(std::string_view json) {
    return rewritten(json, [](std::string_view rest) -> Rewriting {
        const auto number = unicode_escape(rest);
        if (!number) return {};
        const bool pair = *number >= 0xd800 && *number < 0xdc00 && unicode_escape(rest.substr(6));
        if (is_escape(*number)) return {6, "\\u0000" + std::string(rest.substr(4, 2))};
        return {pair ? 12UL : 6UL, std::string(rest.substr(0, pair ? 12 : 6))};
    });
}

std::string restore_escapes(std::string_view json) {
    return rewritten(json, [](std::string_view rest) -> Rewriting {
        if (unicode_escape(rest) != 0U || !escaped_byte(rest.substr(6))) return {};
        return {8, "\\udc" + std::string(rest.substr(6, 2))};
    });
}

std::string json_string(std::string_view path_bytes) {
    return restore_escapes(nlohmann::json(protect_bytes(path_bytes)).dump());
}

std::string restore_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        const auto byte = text[0] == '\0' ? escaped_byte(text.substr(1)) : std::nullopt;
        bytes += byte.value_or(text[0]);
        text.remove_prefix(byte ? 3 : 1);
    }
    return bytes;
}

} // namespace bowhist
