#include <bowhist/core/printable.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/io/utf8_text.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <nlohmann/json.hpp>

namespace bowhist {

namespace {

using nlohmann::json;

/// Receives one line's JSON and keeps what belongs to a histogram; other keys are ignored. A
/// function that returns false rejects the line.
class LineReader : public nlohmann::json_sax<json> {
  public:
    explicit LineReader(HistogramTable &table) : table_(table) {}

    /// Whether it has an image, and a histogram, a row or a code, as the lines before.
    bool complete(bool is_first) {
        if (is_first) table_.content = content_;
        return image_seen_ && values_seen_ && content_ == table_.content;
    }
    const std::string &syntax_error() const { return syntax_error_; }

    bool key(std::string &name) override {
        if (depth_ == 1) key_ = name;
        return true;
    }
    bool string(std::string &text) override {
        if (depth_ != 1 || key_ != "image") return is_ignored();
        table_.images.push_back(restore_bytes(text));
        return !std::exchange(image_seen_, true);
    }
    // the text itself, since rounding to double first and to float then may differ in the last bit
    bool number_float(double, const std::string &text) override {
        const auto value = parse_number(text);
        return value && number(*value);
    }
    bool number_integer(std::int64_t value) override { return number(static_cast<float>(value)); }
    bool number_unsigned(std::uint64_t value) override { return number(static_cast<float>(value)); }
    bool start_array(std::size_t) override {
        const bool values = depth_ == 1 && holds_values();
        ++depth_;
        if (values && key_ == "row") content_ = HistogramContent::rows;
        if (values && key_ == "code") content_ = HistogramContent::codes;
        return values ? !std::exchange(values_seen_, true) : is_ignored();
    }
    bool start_object(std::size_t) override { return depth_++ == 0 || is_ignored(); }
    bool end_array() override { return --depth_ > 0; }
    bool end_object() override { return --depth_ >= 0; }
    bool null() override { return is_ignored(); }
    bool boolean(bool) override { return is_ignored(); }
    bool binary(json::binary_t &) override { return is_ignored(); }
    bool parse_error(std::size_t, const std::string &, const json::exception &error) override {
        syntax_error_ = error.what();
        return false;
    }

  private:
    bool number(float value) {
        if (depth_ == 1 && key_ == "descriptors") return true;
        if (depth_ != 2 || !holds_values()) return is_ignored();
        table_.values.push_back(value);
        return true;
    }
    /// Whether a value is below a key that is not ours. A "row" or "code" that is no list is
    /// another's.
    bool is_ignored() const {
        return depth_ > 0 && key_ != "image" && key_ != "descriptors" &&
               (!holds_values() || (depth_ == 1 && key_ != "histogram"));
    }
    bool holds_values() const { return key_ == "histogram" || key_ == "row" || key_ == "code"; }

    HistogramTable &table_;
    int depth_ = 0;   ///< of objects and arrays that are open
    std::string key_; ///< of the outermost object
    bool image_seen_ = false;
    bool values_seen_ = false;
    HistogramContent content_ = HistogramContent::either;
    std::string syntax_error_;
};

const char *name_of(HistogramContent content) {
    if (content == HistogramContent::codes) return "code";
    return content == HistogramContent::rows ? "row" : "histogram";
}

/// The syntax error of a line, or else the line, for a message.
std::string found(const LineReader &reader, const std::string &line) {
    return excerpt(reader.syntax_error().empty() ? line : reader.syntax_error());
}

} // namespace

HistogramTable read_jsonl(InputFile &file) {
    HistogramTable table;
    Utf8Bytes text(file);
    std::string line;
    for (std::size_t number = 1; text.next_line(line); ++number) {
        LineReader reader(table);
        const std::size_t before = table.values.size();
        if (!json::sax_parse(protect_escapes(line), &reader) || !reader.complete(number == 1))
            file.fail("line {}: expected {{\"image\": text, \"descriptors\": number, "
                      "\"{}\": [numbers]}}, found {}",
                      number, name_of(table.content), found(reader, line));
        const std::size_t words = table.values.size() - before;
        if (number == 1) table.words = words;
        if (words != table.words)
            file.fail("line {}: expected {} words as on line 1, found {}", number, table.words,
                      words);
    }
    return table;
}

} // namespace bowhist
