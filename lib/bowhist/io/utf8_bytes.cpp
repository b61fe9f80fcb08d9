#include <bowhist/io/utf8_bytes.hpp>

#include <bowhist/io/surrogate_escape.hpp>

#include <cstdio>
#include <utility>

namespace bowhist {

using namespace std::string_view_literals;

Utf8Bytes::Utf8Bytes(InputFile &file) : file_(file) {
    const std::string begin = file.peek(4);
    const auto is_zero = [&](std::size_t i) { return begin[i] == '\0'; };
    if (begin.starts_with("\xEF\xBB\xBF")) {
        file.skip(3);
        return;
    }
    if (begin == "\xFF\xFE\0\0"sv || begin == "\0\0\xFE\xFF"sv)
        file.fail("is text in UTF-32; save it as UTF-8");
    if (begin.starts_with("\xFF\xFE")) {
        encoding_ = Encoding::little;
        file.skip(2);
    } else if (begin.starts_with("\xFE\xFF")) {
        encoding_ = Encoding::big;
        file.skip(2);
    } else if (begin.size() == 4 && is_zero(0) == is_zero(2) && is_zero(1) == is_zero(3) &&
               is_zero(0) != is_zero(1)) {
        encoding_ = is_zero(1) ? Encoding::little : Encoding::big;
    }
}

int Utf8Bytes::next() {
    if (taken_ < waiting_.size()) return static_cast<unsigned char>(waiting_[taken_++]);
    const int byte = next_unread();
    if (byte == 0) file_.fail("holds a NUL byte, so it is no text; give a text file");
    return byte;
}

int Utf8Bytes::next_unread() {
    if (encoding_ == Encoding::bytes) return file_.next_byte();
    convert();
    return taken_ < waiting_.size() ? static_cast<unsigned char>(waiting_[taken_++]) : EOF;
}

bool Utf8Bytes::next_line(std::string &line) {
    line.clear();
    int byte = next();
    if (byte == EOF) return false;
    for (; byte != '\n' && byte != EOF; byte = next()) line += static_cast<char>(byte);
    return true;
}

void Utf8Bytes::put_back(std::string text) {
    waiting_.erase(0, std::exchange(taken_, 0));
    waiting_.insert(0, text);
}

int Utf8Bytes::next_unit() {
    const int first = file_.next_byte();
    if (first == EOF) return EOF;
    const int second = file_.next_byte();
    if (second == EOF) file_.fail("ends within a letter of UTF-16, so it is cut off");
    return encoding_ == Encoding::big ? first << 8 | second : second << 8 | first;
}

/// Converts the next letter.
void Utf8Bytes::convert() {
    constexpr int first_surrogate = 0xD800;
    constexpr int second_surrogate = 0xDC00;
    constexpr int end_of_surrogates = 0xE000;
    constexpr int beyond_16_bits = 0x10000;
    waiting_.clear();
    taken_ = 0;
    int letter = next_unit();
    if (letter == EOF) return;
    if (letter >= first_surrogate && letter < second_surrogate) {
        const int second = next_unit();
        if (second < second_surrogate || second >= end_of_surrogates)
            file_.fail("holds half a letter of UTF-16, so it is damaged; save it as UTF-8");
        letter = beyond_16_bits + ((letter - first_surrogate) << 10) + (second - second_surrogate);
    }
    waiting_ = encode_path(std::u32string(1, static_cast<char32_t>(letter)));
}

} // namespace bowhist
