// Files of cv::FileStorage: a map of named values, among them matrices.
//
//     YAML   %YAML:1.0                            XML   <?xml version="1.0"?>
//            ---                                        <opencv_storage>
//            name: !!opencv-matrix                      <name type_id="opencv-matrix">
//               rows: 2                                   <rows>2</rows>
//               cols: 2                                   <cols>2</cols>
//               dt: f                                     <dt>f</dt>
//               data: [ 1., 2., .Inf, .Nan ]              <data>1. 2. .Inf .Nan</data></name>
//                                                       </opencv_storage>
//
// JSON is read as YAML. OpenCV's own parser is not used: it recurses as deep as a file says, and
// some files of 100 bytes make it hang.

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>

#include <fmt/format.h>
#include <pugixml.hpp>
#include <yaml.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

/// A matrix, as a named map of cv::FileStorage holds it.
struct OpenCvMatrix {
    std::string name;
    std::string type; ///< its "dt"; "f" is one float32 an element
    std::string rows; ///< as written in the file
    std::string columns;
    bool has_values = false; ///< there is a "data" that is not a map
    std::vector<float> values;
    std::string first_invalid; ///< the first value that is not a number; empty: all are

    void take_field(std::string_view key, std::string_view text);
    void take_value(std::string_view text);
};

/// @return whether the next one is wanted, too
using TakeMatrix = std::function<bool(OpenCvMatrix &&)>;

/// Receives the nodes in order and keeps track of the place in the file.
class YamlWalk {
  public:
    YamlWalk(const ByteSource &file, const TakeMatrix &take) : file_(file), take_(take) {}

    bool done() const { return done_; }

    void begin(bool is_map) {
        constexpr std::size_t most = 100;
        if (open_.size() == most)
            file_.fail("its values are nested more than {} levels deep, and a matrix needs 3; save "
                       "the matrix alone, or as .npy",
                       most);
        if (open_.size() == 1 && is_map) {
            matrix_ = {};
            matrix_.name = open_.back().key;
        }
        if (in_data()) matrix_.has_values = true;
        open_.push_back({is_map, is_map, {}});
    }

    void end() {
        open_.pop_back();
        if (open_.size() == 1 && !take_(std::move(matrix_))) done_ = true;
        next({});
    }

    void text(std::string_view text) {
        const std::size_t depth = open_.size();
        if (in_data()) {
            matrix_.has_values = true;
            matrix_.take_value(text);
        } else if (depth == 2 && open_.back().is_map && !open_.back().key_next) {
            matrix_.take_field(open_.back().key, text);
        }
        next(text);
    }

  private:
    struct Open {
        bool is_map;
        bool key_next;
        std::string key; ///< of the value that is next or here
    };

    /// Whether the next node is the value of "data", or in it.
    bool in_data() const {
        return open_.size() >= 2 && open_[0].is_map && open_[1].is_map && !open_[1].key_next &&
               open_[1].key == "data";
    }

    /// A node is complete.
    void next(std::string_view text) {
        if (open_.empty() || !open_.back().is_map) return;
        Open &map = open_.back();
        if (map.key_next) map.key = text;
        map.key_next = !map.key_next;
    }

    const ByteSource &file_;
    const TakeMatrix &take_;
    std::vector<Open> open_; ///< maps and lists, the outermost first
    OpenCvMatrix matrix_;
    bool done_ = false;
};

/// Gives each map at the top of the file to `take`, in order.
/// @throws Error of the file's fault if it is no YAML
void each_yaml_matrix(const ByteSource &file, std::string_view text, const TakeMatrix &take) {
    // "%YAML:1.0" is no directive of YAML
    if (text.starts_with("%YAML:")) text.remove_prefix(std::min(text.find('\n'), text.size()));
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) throw std::bad_alloc();
    const std::unique_ptr<yaml_parser_t, Release<yaml_parser_delete>> parser_owner(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char *>(text.data()),
                                 text.size());
    YamlWalk walk(file, take);
    while (!walk.done()) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0)
            file.fail(
                "cannot be read as OpenCV's YAML: line {}: {}; save the matrix alone, or as .npy",
                parser.problem_mark.line + 1, parser.problem ? parser.problem : "no memory");
        const std::unique_ptr<yaml_event_t, Release<yaml_event_delete>> event_owner(&event);
        const auto &scalar = event.data.scalar;
        switch (event.type) {
        case YAML_MAPPING_START_EVENT:
        case YAML_SEQUENCE_START_EVENT:
            walk.begin(event.type == YAML_MAPPING_START_EVENT);
            break;
        case YAML_MAPPING_END_EVENT:
        case YAML_SEQUENCE_END_EVENT:
            walk.end();
            break;
        case YAML_SCALAR_EVENT:
            walk.text({reinterpret_cast<const char *>(scalar.value), scalar.length});
            break;
        case YAML_ALIAS_EVENT:
            walk.text({});
            break;
        case YAML_DOCUMENT_END_EVENT: // the first is all that a reader sees
        case YAML_STREAM_END_EVENT:
            return;
        default:
            break;
        }
    }
}

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

/// The same of XML.
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

std::optional<float> value_of(std::string_view text) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (text == ".Inf") return infinity;
    if (text == "-.Inf") return -infinity;
    if (text == ".Nan") return std::numeric_limits<float>::quiet_NaN();
    return as_number<float>(text);
}

std::string description(const OpenCvMatrix &matrix) {
    return excerpt(fmt::format("{} (dt {}, {}x{})", excerpt(matrix.name), matrix.type, matrix.rows,
                               matrix.columns));
}

FloatMatrix values_of(const InputFile &file, OpenCvMatrix &&matrix) {
    if (!matrix.first_invalid.empty())
        file.fail("its matrix {} holds '{}', which is no number; save it as plain text (no "
                  "base64), or as .npy",
                  description(matrix), excerpt(matrix.first_invalid));
    const auto rows = as_number<std::uint32_t>(matrix.rows);
    const auto columns = as_number<std::uint32_t>(matrix.columns);
    if (!rows || !columns || *columns == 0 ||
        std::uint64_t{*rows} * *columns != matrix.values.size())
        file.fail("its matrix {} has {} values", description(matrix), matrix.values.size());
    return {*columns, std::move(matrix.values)};
}

} // namespace

void OpenCvMatrix::take_field(std::string_view key, std::string_view text) {
    if (key == "dt") type = text;
    if (key == "rows") rows = text;
    if (key == "cols") columns = text;
}

void OpenCvMatrix::take_value(std::string_view text) {
    const auto value = value_of(text);
    if (!value && first_invalid.empty()) first_invalid = text;
    values.push_back(value.value_or(0));
}

FloatMatrix read_opencv_matrix(InputFile &file) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const std::string all = file.read_text();
    std::string_view text = all;
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());

    std::optional<FloatMatrix> floats;
    std::string found;
    const auto take = [&](OpenCvMatrix &&matrix) {
        if (matrix.type.empty() || !matrix.has_values) return true;
        if (matrix.type == "f")
            floats = values_of(file, std::move(matrix));
        else if (found.size() < 200)
            found += (found.empty() ? "" : ", ") + description(matrix);
        return !floats.has_value();
    };
    (text.starts_with('<') ? each_xml_matrix : each_yaml_matrix)(file, text, take);
    if (floats) return std::move(*floats);
    file.fail(
        "expected a matrix of float32 (dt f), found {}; convert it to CV_32F or save it as .npy",
        found.empty() ? "none" : excerpt(found));
}

} // namespace bowhist
