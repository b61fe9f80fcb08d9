#include <bowhist/tables/formats/opencv_values.hpp>

#include <pugixml.hpp>

#include <algorithm>

namespace bowhist {

namespace {

/// OpenCV quotes a text that would otherwise look like a number: dt is f, but "2f".
std::string_view unquoted(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        return text.substr(1, text.size() - 2);
    return text;
}

OpenCvMatrix matrix_of(const pugi::xml_node &node) {
    constexpr std::string_view blanks = " \t\r\n";
    OpenCvMatrix matrix;
    matrix.name = node.name();
    for (const char *key : {"rows", "cols", "dt"})
        matrix.take_field(key, unquoted(node.child_value(key)));
    const pugi::xml_node data = node.child("data");
    matrix.has_values = !data.empty();
    std::string_view rest = data.child_value();
    for (;;) {
        rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
        if (rest.empty()) return matrix;
        const std::size_t end = std::min(rest.find_first_of(blanks), rest.size());
        matrix.take_value(rest.substr(0, end));
        rest.remove_prefix(end);
    }
}

} // namespace

void each_xml_matrix(const ByteSource &file, std::string_view text, const TakeMatrix &take) {
    // A matrix takes some six elements, and pugixml 17 bytes for each of theirs.
    constexpr std::ptrdiff_t most_elements = 1'000'000;
    if (std::ranges::count(text, '<') > most_elements)
        file.fail("cannot be read as OpenCV's XML: it has more elements than any vocabulary");
    pugi::xml_document document;
    constexpr unsigned options = pugi::parse_default | pugi::parse_trim_pcdata;
    const auto parsed =
        document.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
    if (!parsed) file.fail("cannot be read as OpenCV's XML: {}", parsed.description());
    for (const pugi::xml_node &node : document.child("opencv_storage").children())
        if (!take(matrix_of(node))) return;
}

} // namespace bowhist
