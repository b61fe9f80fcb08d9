#include <bowhist/io/utf8_text.hpp>

#include <bowhist/io/surrogate_escape.hpp>

#include <cstdio>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t piece = 1 << 16; // bytes
constexpr std::size_t utf_32_width = 4;
constexpr char32_t byte_order_mark = 0xfeff;
constexpr char32_t last_letter = 0x10ffff;

std::u32string units_of(std::string_view bytes, const WideForm &form) {
    std::u32string units;
    units.reserve(bytes.size() / form.width + 1);
    for (; bytes.size() >= form.width; bytes.remove_prefix(form.width)) {
        char32_t unit = 0;
        for (std::size_t i = 0; i < form.width; ++i) {
            const char byte = bytes[form.big_endian ? i : form.width - 1 - i];
            unit = unit << 8U | static_cast<unsigned char>(byte);
        }
        units += unit;
    }
    if (!bytes.empty()) units += U'\0';
    return units;
}

bool is_ascii(char32_t unit) {
    return unit > 0 && unit < 0x80;
}

/// Whether ASCII letters stand in a row: three, two behind a byte order mark, or two that end a
/// line.
bool is_text(const std::u32string &units) {
    const std::size_t enough = units.front() == byte_order_mark ? 2 : 3;
    std::size_t in_a_row = 0;
    bool found = false;
    for (const char32_t unit : units) {
        if (unit > last_letter) return false;
        in_a_row = is_ascii(unit) ? in_a_row + 1 : 0;
        found = found || in_a_row >= (unit == U'\n' ? 2 : enough);
    }
    return found;
}

bool is_high(char32_t unit) {
    return unit >= 0xd800 && unit < 0xdc00;
}
bool is_low(char32_t unit) {
    return unit >= 0xdc00 && unit < 0xe000;
}

/// Makes a letter of each surrogate pair.
std::u32string letters_of(const std::u32string &units) {
    std::u32string letters;
    letters.reserve(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        const char32_t unit = units[i];
        if (is_high(unit) && i + 1 < units.size() && is_low(units[i + 1]))
            letters +=
                static_cast<char32_t>(0x10000 + ((unit & 0x3ffU) << 10U) + (units[++i] & 0x3ffU));
        else
            letters += is_high(unit) || is_low(unit) || unit > last_letter ? U'\0' : unit;
    }
    return letters;
}

} // namespace

std::optional<WideForm> wide_form(std::string_view bytes) {
    if (bytes.find('\0') == std::string_view::npos) return std::nullopt;
    for (const WideForm form : {WideForm{4, false}, {4, true}, {2, false}, {2, true}})
        if (is_text(units_of(bytes.substr(0, piece), form))) return form;
    return std::nullopt;
}

std::string as_utf8(std::string_view bytes, const WideForm &form) {
    return encode_path(letters_of(units_of(bytes, form)));
}

bool ends_in_pair(std::string_view bytes, const WideForm &form) {
    return bytes.size() >= form.width &&
           is_high(units_of(bytes.substr(bytes.size() - form.width), form).front());
}

Utf8Bytes::Utf8Bytes(InputFile &file) : file_(file), form_(wide_form(file.peek(piece))) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (form_ && form_->width == utf_32_width) file.fail("is text in UTF-32; save it as UTF-8");
    if (fill() && waiting_.starts_with(mark)) taken_ = mark.size();
}

int Utf8Bytes::next() {
    if (taken_ == waiting_.size() && !fill()) return EOF;
    const char byte = waiting_[taken_++];
    if (byte == '\0')
        file_.fail(
            "{}",
            form_ ? "holds half a letter of UTF-16, so it is damaged or cut off; save it as UTF-8"
                  : "holds a NUL byte, so it is no text; give a text file");
    return static_cast<unsigned char>(byte);
}

/// Takes the next piece of the file; false at its end.
bool Utf8Bytes::fill() {
    taken_ = 0;
    waiting_ = file_.peek(piece);
    if (form_ && waiting_.size() == piece && ends_in_pair(waiting_, *form_))
        waiting_.resize(piece - form_->width);
    file_.skip(waiting_.size());
    if (form_) waiting_ = as_utf8(waiting_, *form_);
    return !waiting_.empty();
}

bool Utf8Bytes::next_line(std::string &line) {
    line.clear();
    int byte = next();
    if (byte == EOF) return false;
    for (; byte != '\n' && byte != EOF; byte = next()) line += static_cast<char>(byte);
    return true;
}

void Utf8Bytes::put_back(const std::string &text) {
    waiting_.replace(0, std::exchange(taken_, 0), text);
}

} // namespace bowhist
