#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/integer_rows.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/io/utf8_text.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

struct Format {
    std::string_view ending;
    std::string_view beginning; ///< the first bytes; empty: any
    HistogramTable (*read)(InputFile &);
    TableSize (*size)(InputFile &);
};

using namespace std::string_view_literals;

constexpr std::array formats{Format{".npy", "\x93NUMPY"sv, read_npy, size_of_npy},
                             Format{".npz", "PK"sv, read_npz, size_of_npz},
                             Format{".jsonl", "{"sv, read_jsonl, size_of_text},
                             Format{".csv", ""sv, read_csv, size_of_text},
                             Format{".tsv", ""sv, read_csv, size_of_text}};

/// The size of what was read so far, and the check of what follows.
struct Before {
    const TableCheck &check;
    TableSize size = {};

    void add(const std::string &name, const TableSize &next) {
        const std::uint64_t copies = size.values > 0 ? 2 * (size.values + next.values) : 0;
        size.rows += next.rows;
        size.values += next.values;
        size.peak = std::max(size.peak, next.peak + copies * sizeof(float));
        if (check) check(name, size);
    }
};

HistogramTable read_as(const Format &format, InputFile &file, Before &before) {
    before.add(file.name(), format.size(file));
    HistogramTable table = read_or_recognize(file, Expected::histograms, format.read);
    table.file = file.name();
    return table;
}

HistogramTable read_by_ending(const Path &path, Before &before) {
    InputFile file(path, Fault::input);
    if (const Format *format = row_by_ending(formats, path)) return read_as(*format, file, before);
    if (ending_of(path) == ".svm")
        throw Error(Fault::input, fmt::format("{}: an .svm file does not record k, the number of "
                                              "words; use .npz, .npy, .csv or .jsonl",
                                              path));
    if (const auto found = recognize(file, Expected::histograms))
        file.fail("{}", refusal(*found, Expected::histograms));
    throw Error(Fault::input, fmt::format("{}: expected a name that ends with .csv, .npy, .npz or "
                                          ".jsonl for histograms, found '{}'",
                                          path, excerpt(path.extension().native())));
}

HistogramTable read_standard_input(Before &before) {
    InputFile file = InputFile::standard_input(Fault::input);
    const std::string start = file.peek(8);
    return read_as(
        *std::ranges::find_if(
            formats, [&](const Format &format) { return start.starts_with(format.beginning); }),
        file, before);
}

bool is_whole(float value) {
    return std::floor(value) == value;
}

bool is_out_of_range(float value) {
    // no float32 lies between: the largest count, 4294967295, is held as 2^32
    return value < 0 || value > 4294967296.0F;
}

bool holds_rows(const HistogramTable &table) {
    return table.content == HistogramContent::codes || table.content == HistogramContent::rows;
}

/// Text may hold any numbers.
void require_codes(const HistogramTable &table) {
    const auto bad = std::ranges::find_if(
        table.values, [](float value) { return !is_whole(value) || value < -128 || value > 127; });
    if (bad == table.values.end()) return;
    throw Error(Fault::input,
                fmt::format("{}: row {} holds {}; expected whole numbers from -127 to 127 of a "
                            "code (rows count from 0)",
                            table.file,
                            static_cast<std::size_t>(bad - table.values.begin()) / table.words,
                            *bad));
}

/// Products of codes have to fit 32 bits.
void require_norms(const HistogramTable &table) {
    constexpr std::int64_t most = std::int64_t{longest_integer_norm} * longest_integer_norm;
    for (std::size_t first = 0; first < table.values.size(); first += table.words) {
        std::int64_t squares = 0;
        for (const float value : std::span(table.values).subspan(first, table.words))
            squares += static_cast<std::int64_t>(value) * static_cast<std::int64_t>(value);
        if (squares > most)
            throw Error(Fault::input,
                        fmt::format("{}: row {} holds a code of {} numbers whose norm is above {}; "
                                    "make codes of fewer cells or with a smaller --reduce (rows "
                                    "count from 0)",
                                    table.file, first / table.words, table.words,
                                    longest_integer_norm));
    }
}

/// Refuses what no writer of histograms makes.
void require_histograms(const HistogramTable &table) {
    if (table.words == 0)
        throw Error(Fault::input,
                    table.file + ": has no words; expected histograms of at least one word");
    if (holds_rows(table)) return; // of any numbers
    const auto bad = std::ranges::find_if(table.values, is_out_of_range);
    if (bad == table.values.end()) return;
    const auto place = static_cast<std::size_t>(bad - table.values.begin());
    throw Error(Fault::input,
                fmt::format("{}: row {} holds {} for word {}; expected counts or shares from 0 to "
                            "4294967295 (rows count from 0)",
                            table.file, place / table.words, *bad, place % table.words));
}

HistogramContent content_of(const HistogramTable &table) {
    if (holds_rows(table)) return table.content;
    if (!std::ranges::all_of(table.values, is_whole)) return HistogramContent::normalized;
    if (!table.normalization.empty())
        return table.normalization == name_of(Normalization::none) ? HistogramContent::counts
                                                                   : HistogramContent::normalized;
    for (auto row = table.values.begin(); row != table.values.end();) {
        const auto end = row + static_cast<std::ptrdiff_t>(table.words);
        if (std::accumulate(row, end, 0.0) > 1) return HistogramContent::counts;
        row = end;
    }
    return HistogramContent::either;
}

/// A property of the rows, and the first file that states it.
struct Stated {
    std::string what; ///< empty while no file states it
    std::string file = {};

    /// @throws Error{Fault::input} when the next file states another
    void add(const std::string &next, const std::string &next_file, std::string_view advice) {
        if (next.empty()) return;
        if (what.empty()) *this = {next, next_file};
        if (what != next)
            throw Error(Fault::input,
                        fmt::format("{}: {}, {} {}; {}", next_file, next, file, what, advice));
    }
};

/// Checks that the rows of several files can be compared.
class Agreement {
  public:
    void add(const HistogramTable &table) {
        constexpr auto one_vocabulary = "group histograms of one vocabulary together";
        constexpr auto one_encoding = "make both with the same --encode, --cells and --nearest";
        constexpr auto one_normalization = "make both with the same --normalize";
        const std::string &file = table.file;
        words_.add(fmt::format("has {} words", table.words), file, one_vocabulary);
        vocabulary_.add(about("was made with the vocabulary of fingerprint ", table.fingerprint),
                        file, one_vocabulary);
        encoding_.add(about("was made with --encode ", table.encoding), file, one_encoding);
        preparation_.add(about("was made with --prepare ", table.preparation), file,
                         one_vocabulary);
        content_.add(described(table.content), file,
                     "make both with the same --encode and --normalize");
        normalization_.add(about("was made with --normalize ", table.normalization), file,
                           one_normalization);
    }

  private:
    static std::string described(HistogramContent content) {
        switch (content) {
        case HistogramContent::either:
            return "";
        case HistogramContent::counts:
            return "holds counts";
        case HistogramContent::normalized:
            return "holds normalized histograms";
        case HistogramContent::codes:
            return "holds codes";
        case HistogramContent::rows:
            return "holds rows of an encoding";
        }
        return "";
    }
    static std::string about(std::string_view what, const std::string &value) {
        return value.empty() ? "" : fmt::format("{}{}", what, printable(value));
    }

    Stated words_;
    Stated vocabulary_;
    Stated encoding_;
    Stated preparation_;
    Stated content_;
    Stated normalization_;
};

HistogramTable read_one(const Path &path, Before &before) {
    HistogramTable table = path == "-" ? read_standard_input(before) : read_by_ending(path, before);
    require_histograms(table);
    table.content = content_of(table);
    if (table.content == HistogramContent::codes) {
        require_codes(table);
        require_norms(table);
    }
    return table;
}

} // namespace

HistogramTable read_histograms(const Path &path) {
    return read_histograms(std::span(&path, 1));
}

HistogramTable read_histograms(std::span<const Path> paths, const TableCheck &check) {
    Before before{check};
    HistogramTable all = read_one(paths.front(), before);
    Agreement agreement;
    agreement.add(all);
    for (const Path &path : paths.subspan(1)) {
        const HistogramTable next = read_one(path, before);
        agreement.add(next);
        for (const std::string &image : next.images)
            all.images.push_back(next.named ? image : std::to_string(all.images.size()));
        all.values.insert(all.values.end(), next.values.begin(), next.values.end());
        if (all.content != HistogramContent::either) continue;
        all.content = next.content;
        all.file = next.file;
    }
    return all;
}

std::optional<float> parse_number(std::string_view text) {
    const auto value = as_number<float>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

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
