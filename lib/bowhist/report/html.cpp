#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/report/html.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace bowhist {

std::string html_escape(std::string_view path_bytes) {
    constexpr std::string_view special = "&<>\"";
    constexpr const char *entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    std::u32string text = decode_path(path_bytes);
    for (char32_t &c : text)
        if (c >= 0xDC80 && c <= 0xDCFF) c = 0xFFFD;
    std::string escaped;
    for (const char c : encode_path(text)) {
        const std::size_t found = special.find(c);
        escaped += found == special.npos ? std::string(1, c) : entities[found];
    }
    return escaped;
}

std::string html_name(std::string_view path_bytes) {
    std::u32string text = decode_path(path_bytes);
    for (char32_t &c : text)
        if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)) c = 0xFFFD;
    return html_escape(encode_path(text));
}

std::string url_escape(std::string_view path_bytes) {
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789-._~/";
    std::string url;
    for (const char byte : path_bytes)
        url += plain.find(byte) != plain.npos
                   ? std::string(1, byte)
                   : fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    return url;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = at; i < at + 3; ++i)
            group = group << 8 | (i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : 0U);
        const std::size_t present = std::min<std::size_t>(3, bytes.size() - at);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += digit <= present ? digits[group >> (18 - 6 * digit) & 63U] : '=';
    }
    return text;
}

std::string svg_text(double x, double y, std::string_view attributes, std::string_view words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes,
                       html_escape(words));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                       y1, x2, y2, attributes);
}

} // namespace bowhist
