#include <bowhist/io/foreign_kinds.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace bowhist {
namespace {

constexpr auto download = "the download was refused or wanted a login: get the file again";
constexpr auto save_attached = "save the pictures that are attached to it";
constexpr auto web_page = "a web page";
constexpr auto mail = "an e-mail";

bool is_blank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

/// The beginning in lower case, without byte order marks, the zeros of UTF-16 and blanks in front.
std::string plain_beginning(std::string_view head) {
    constexpr std::size_t most = 8192;
    const bool is_wide = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
    if (is_wide) head.remove_prefix(2);
    std::string text;
    for (const char letter : head.substr(0, most))
        if (!is_wide || letter != '\0') text += to_lower(letter);
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    rest.remove_prefix(
        static_cast<std::size_t>(std::ranges::find_if_not(rest, is_blank) - rest.begin()));
    return std::string(rest);
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Whether a page follows behind other text.
bool leads_to_web_page(std::string_view text) {
    const bool may_lead = text.starts_with("<!--") || text.starts_with("<?xml") ||
                          text.starts_with("<?php") || text.starts_with("http/");
    return may_lead && (holds(text, "<html") || holds(text, "<!doctype html"));
}

std::optional<ForeignFile> markup_kind(std::string_view text) {
    if (text.starts_with("%yaml:1.") || holds(text, "<opencv_storage"))
        return ForeignFile{"a FileStorage of OpenCV",
                           "a vocabulary of that kind ends in .yml or .xml (--centroids); save "
                           "other matrices as .npy"};
    if (text.starts_with("<svg") || (text.starts_with("<") && holds(text, "<svg")))
        return ForeignFile{"an SVG drawing", "convert it to PNG: rsvg-convert -o x.png FILE"};
    if (!text.starts_with("<?xml")) return std::nullopt;
    const bool is_answer = holds(text, "<error") || holds(text, "<code>");
    return ForeignFile{is_answer ? "a server's answer in XML" : "an XML file",
                       is_answer ? download : "give another file, or its data as CSV or .npy"};
}

/// The first letter behind blanks; 0 at the end.
char next_letter(std::string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at < text.size() ? text[at] : '\0';
}

std::optional<ForeignFile> json_kind(std::string_view text, TextReader reader) {
    constexpr std::string_view values = "{[\"-0123456789]";
    if (text.starts_with('[') && values.find(next_letter(text, 1)) != std::string_view::npos)
        return ForeignFile{"a list in JSON",
                           "histograms are a line for each picture (.jsonl): jq -c '.[]' FILE > "
                           "x.jsonl; save other arrays as .npy"};
    const char next = next_letter(text, 1);
    if (!text.starts_with('{') || (next != '"' && next != '}') || reader == TextReader::json_lines)
        return std::nullopt;
    constexpr std::array<std::string_view, 6> keys = {"\"error",  "\"message\"", "\"detail\"",
                                                      "\"code\"", "\"status",    "\"fault\""};
    const bool is_answer =
        std::ranges::any_of(keys, [&](std::string_view key) { return holds(text, key); }) &&
        !holds(text, "\"extractor\"");
    if (is_answer) return ForeignFile{"a server's answer in JSON", download};
    return ForeignFile{"a JSON file", "give another file (a .json beside a file is read with it)"};
}

/// "/9j/4AAQ..." is a JPEG, and so on.
bool is_base64(std::string_view head) {
    constexpr std::array<std::string_view, 6> images = {"/9j/",  "iVBORw0KGgo", "R0lGOD",
                                                        "UklGR", "SUkqA",       "TU0AK"};
    constexpr std::size_t enough = 20;
    const auto is_letter = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '+' || letter == '/' ||
               letter == '=' || is_blank(letter);
    };
    const auto begins = [&](std::string_view begin) { return head.starts_with(begin); };
    return head.size() >= enough && std::ranges::any_of(images, begins) &&
           std::ranges::all_of(head.substr(0, enough), is_letter);
}

/// Their keys are in lower case.
constexpr Kind beginnings[] = {
    {{"<!doctype html", "<html", "<head", "<body"}, web_page, download},
    {{"<title", "<meta", "<script", "<h1"}, web_page, download},
    {{"version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/"},
     "a Git LFS pointer, not the file itself",
     "run git lfs pull to get the file"},
    {{"/annex/objects/"},
     "a git-annex pointer, not the file itself",
     "run git annex get to get the file"},
    {{"data:image/"},
     "a picture as text (a data: URL in base64)",
     "decode it first: sed 's/^[^,]*,//' FILE | base64 -d > x.jpg"},
    {{"[internetshortcut]"}, "a link to a web page (.url)", "get the file that it links to"},
    {{"[desktop entry]"}, "a link of the desktop (.desktop)", "give the file that it stands for"},
    {{"http/1.", "http/2"}, "a server's answer with its headers", "get the file again"},
    {{"begin 6"}, "a file as text (uuencode)", "decode it first: uudecode FILE"},
    {{"-----begin "}, "an encrypted file, or a key", "decrypt it first"},
    {{"------webkitformboundary"},
     "what a browser uploads (multipart/form-data)",
     "save the file in it alone"},
    {{"#!/"}, "a script", "give what it makes"},
    {{"return-path:", "received:", "delivered-to:", "mime-version:"}, mail, save_attached},
    {{"from: ", "content-type:", "message-id:", "x-mozilla"}, mail, save_attached},
};

} // namespace

std::optional<ForeignFile> text_kind(std::string_view head, TextReader reader) {
    const std::string text = plain_beginning(head);
    if (leads_to_web_page(text)) return ForeignFile{web_page, download};
    const auto begins = [&](std::string_view key, std::size_t) { return text.starts_with(key); };
    if (auto kind = find_kind(beginnings, begins)) return kind;
    if (text.starts_with("from ") && holds(text, "received:"))
        return ForeignFile{mail, save_attached};
    if (is_base64(head))
        return ForeignFile{"a picture as text (base64)", "decode it first: base64 -d FILE > x.jpg"};
    const bool is_storage = text.starts_with("%yaml:1.") || holds(text, "<opencv_storage");
    if (reader == TextReader::markup && (is_storage || !text.starts_with('<'))) return std::nullopt;
    if (auto kind = markup_kind(text)) return kind;
    return json_kind(text, reader);
}

std::optional<ForeignFile> plain_text(std::string_view head) {
    const auto is_letter = [](char byte) { return is_blank(byte) || (byte >= ' ' && byte <= '~'); };
    if (!std::ranges::all_of(head, is_letter)) return std::nullopt;
    const auto *const begin = std::ranges::find_if_not(head, is_blank);
    const std::string_view text(begin, head.end());
    constexpr std::size_t most = 60; // letters of the first line
    return ForeignFile{
        fmt::format("text that begins with '{}'",
                    excerpt(text.substr(0, std::min(text.find_first_of("\r\n"), most)))),
        "where it should be a picture, get the file again"};
}

} // namespace bowhist
