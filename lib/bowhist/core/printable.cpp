#include <bowhist/core/printable.hpp>

#include <fmt/format.h>

namespace bowhist {

namespace {

bool is_control(unsigned char byte) {
    return byte < 0x20 || byte == 0x7f;
}

std::string escaped(unsigned char byte) {
    switch (byte) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return fmt::format("\\x{:02x}", byte);
    }
}

} // namespace

std::string printable(const std::filesystem::path &text) {
    if (text.empty()) return "''";
    std::string line;
    unsigned char before = 0;
    for (const unsigned char byte : text.native()) {
        // U+0080 to U+009F are controls too; terminals take U+009B for the start of a command
        const bool second_half = before == 0xc2 && byte >= 0x80 && byte < 0xa0;
        if (second_half) {
            line.pop_back();
            line += escaped(before) + escaped(byte);
        } else if (is_control(byte)) {
            line += escaped(byte);
        } else {
            line += static_cast<char>(byte);
        }
        before = byte;
    }
    return line;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t most = 200;
    constexpr std::string_view dots = "...";
    if (text.empty()) return {};
    std::string line = printable(text.substr(0, most + 1));
    if (line.size() <= most) return line;
    std::size_t end = most - dots.size();
    // between two characters: never behind the first byte of several
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    return line.substr(0, end).append(dots);
}

} // namespace bowhist
