#include <bowhist/io/utf8_bytes.hpp>

#include <cstdio>

namespace bowhist {
namespace {

constexpr std::size_t piece = 1 << 16; // bytes
constexpr std::size_t utf_32_width = 4;

} // namespace

Utf8Bytes::Utf8Bytes(InputFile &file) : file_(file), form_(wide_form(file.peek(piece))) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (form_ && form_->width == utf_32_width) file.fail("is text in UTF-32; save it as UTF-8");
    if (fill() && waiting_.starts_with(byte_order_mark)) taken_ = byte_order_mark.size();
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
