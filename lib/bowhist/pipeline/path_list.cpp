#include <bowhist/pipeline/path_list.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/utf8_text.hpp>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <utility>

namespace bowhist {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool has(std::string_view text, char letter) {
    return text.find(letter) != std::string_view::npos;
}

/// Whether something has this name, a link that leads nowhere, too.
bool exists(std::string_view path) {
    if (has(path, '\0')) return false; // it would end there
    std::error_code error;
    return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

/// Single letters between NUL bytes may be names. They are text in UTF-16 where there is a byte
/// order mark, or what makes paths and lines is behind one of them.
bool is_surely_text(std::string_view utf8) {
    const auto continues = [](char before, char letter) {
        return static_cast<unsigned char>(before - 1) < 0x7f && has("\n\r./\\", letter);
    };
    return utf8.starts_with(byte_order_mark) ||
           std::ranges::adjacent_find(utf8, continues) != utf8.end();
}

} // namespace

PathList::PathList(std::string text, bool null_separated, const std::string &name)
    : text_(std::move(text)), separator_(null_separated ? '\0' : '\n') {
    auto utf8 = wide_as_utf8(text_);
    if (utf8 && null_separated && is_surely_text(*utf8))
        throw Error(Fault::usage, name + ": this list is text in UTF-16, not separated by NUL "
                                         "bytes; leave -0 out");
    if (null_separated) return;
    if (utf8) {
        text_ = *std::move(utf8);
        fault_of_nul_ = "its UTF-16 is damaged here; save the list as UTF-8";
    }
    if (!has(text_, '\n') && has(text_, '\r') && !exists(text_)) separator_ = '\r';
}

std::optional<ListedPath> PathList::next() {
    while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find(separator_, at_), text_.size());
        const std::string given = text_.substr(at_, end - at_);
        at_ = end + 1;
        ListedPath path = as_meant(given);
        if (!path.path.empty()) return path;
    }
    return std::nullopt;
}

ListedPath PathList::as_meant(const std::string &given) const {
    if (has(given, '\0')) return {given, fault_of_nul_};
    if (!is_text() && given.size() == text_.size() && has(given, '\n') && !exists(given))
        return {given, "this list holds no NUL byte; leave -0 out"};
    std::string_view bare = given;
    if (bare.starts_with(byte_order_mark)) bare.remove_prefix(byte_order_mark.size());
    if (is_text() && bare.ends_with('\r')) bare.remove_suffix(1);
    if (bare.size() >= PATH_MAX) return {given, "it is longer than a path can be"};
    if (bare.size() == given.size() || !exists(given)) return {std::string(bare)};
    if (is_text() && exists(bare))
        return {given, "files exist with and without the CR or byte order mark of this name; list "
                       "the one that is meant with -0"};
    return {given};
}

} // namespace bowhist
