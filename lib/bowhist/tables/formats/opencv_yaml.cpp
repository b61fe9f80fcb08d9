#include <bowhist/tables/formats/opencv_values.hpp>

#include <bowhist/core/release.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <yaml.h>

namespace bowhist {

namespace {

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

} // namespace

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

} // namespace bowhist
