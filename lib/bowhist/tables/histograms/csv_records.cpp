#include <bowhist/tables/histograms/csv_records.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace bowhist {

CsvRecords::CsvRecords(InputFile &file) : file_(file), bytes_(file) {
    constexpr std::string_view names_separator = "sep=";
    std::string first;
    if (!bytes_.next_line(first)) return;
    if (first.starts_with(names_separator) && first.size() > names_separator.size()) {
        separator_ = first[names_separator.size()];
        ++next_line_;
        return;
    }
    const std::size_t found = first.find_first_of(",;\t|");
    if (found != std::string::npos) separator_ = first[found];
    bytes_.put_back(first + '\n');
}

bool CsvRecords::next(std::vector<std::string> &fields) {
    line_ = next_line_;
    int byte = bytes_.next();
    if (byte == EOF) return false;
    for (std::size_t i = 0;; ++i) {
        if (i == fields.size()) fields.emplace_back();
        fields[i].clear();
        byte = byte == '"' ? quoted(fields[i]) : plain(byte, fields[i]);
        if (byte != separator_) {
            fields.resize(i + 1);
            break;
        }
        byte = bytes_.next();
    }
    ++next_line_;
    return true;
}

int CsvRecords::plain(int byte, std::string &field) {
    for (; byte != separator_ && byte != '\n' && byte != EOF; byte = bytes_.next())
        field += static_cast<char>(byte);
    if (byte == '\n' && field.ends_with('\r')) field.pop_back();
    return byte;
}

int CsvRecords::quoted(std::string &field) {
    for (;;) {
        int byte = bytes_.next();
        if (byte == EOF) fail("a quoted field never ends");
        if (byte == '\n') ++next_line_;
        if (byte == '"') {
            byte = bytes_.next();
            if (byte == '\r') byte = bytes_.next();
            if (byte == separator_ || byte == '\n' || byte == EOF) return byte;
            if (byte != '"')
                fail("expected a separator or the line's end behind a quoted field, found text");
        }
        field += static_cast<char>(byte);
    }
}

// Histograms as CSV, also as spreadsheets and pandas save it: with other separators and encodings
// (csv_records.hpp), decimal commas, and an index in front, which has no name.
namespace {

/// Whether a column is an index of pandas or R: it has no name, or the one that pandas gives it on
/// reading.
bool is_index(const std::string &name) {
    return name.empty() || name.starts_with("Unnamed: ");
}

/// The places of the columns.
struct Heading {
    std::size_t image; ///< the first column behind indices; its descriptors and words follow
    std::size_t words;
    HistogramContent content; ///< of names w0,w1,... either; v0,v1,... rows; c0,c1,... codes
};

std::optional<Heading> heading_in(const std::vector<std::string> &fields) {
    const auto image = std::ranges::find_if_not(fields, is_index);
    const auto names = std::span(image, fields.end());
    if (names.size() < 2 || names[0] != "image" || names[1] != "descriptors") return std::nullopt;
    using enum HistogramContent;
    const char letter = names.size() > 2 && !names[2].empty() ? names[2].front() : 'w';
    if (letter != 'w' && letter != 'v' && letter != 'c') return std::nullopt;
    const HistogramContent content = letter == 'c' ? codes : letter == 'v' ? rows : either;
    std::string expected;
    for (std::uint64_t word = 0; word + 2 < names.size(); ++word) {
        expected = letter;
        append_number(expected, word);
        if (names[word + 2] != expected) return std::nullopt;
    }
    return Heading{static_cast<std::size_t>(image - fields.begin()), names.size() - 2, content};
}

/// Parses numbers with decimal points or decimal commas, but not both in one file. A file whose
/// fields are separated by commas has no decimal commas: they may separate thousands.
class Numbers {
  public:
    explicit Numbers(const CsvRecords &records) : records_(records) {}

    /// @param number  of the field, from 1
    float parse(const std::string &field, std::size_t number) {
        auto value = parse_number(field);
        const bool has_comma = !value && records_.separator() != ',' &&
                               std::ranges::count(field, ',') == 1 &&
                               field.find('.') == std::string::npos;
        if (has_comma) value = parse_number(std::string(field).replace(field.find(','), 1, "."));
        if (!value)
            records_.fail(
                "expected a number in field {}, found '{}'{}", number, excerpt(field),
                field.find(',') == std::string::npos
                    ? ""
                    : "; save numbers with decimal points, and without anything between thousands");
        commas_ = commas_ || has_comma;
        points_ = points_ || field.find('.') != std::string::npos;
        if (commas_ && points_)
            records_.fail("field {} is '{}', and this file has decimal commas as well as points; "
                          "save it with points alone",
                          number, excerpt(field));
        return *value;
    }

    /// Parses a number of descriptors. With a separator of thousands it looks like a fraction of
    /// three digits.
    void parse_whole(const std::string &field, std::size_t number) {
        const float value = parse(field, number);
        const std::size_t comma = field.find(',');
        const bool may_be_thousands = comma != std::string::npos && field.size() - comma == 4;
        if (std::floor(value) != value || may_be_thousands)
            records_.fail("expected a whole number of descriptors in field {}, found '{}'; save "
                          "numbers without anything between thousands",
                          number, excerpt(field));
    }

  private:
    const CsvRecords &records_;
    bool commas_ = false;
    bool points_ = false;
};

Heading read_heading(CsvRecords &records, std::vector<std::string> &fields) {
    const bool found = records.next(fields);
    if (found)
        if (const auto heading = heading_in(fields)) return *heading;
    records.fail("expected the names image,descriptors,w0,w1,... as bowhist writes them (c0,c1,... "
                 "of codes, v0,v1,... of rows), found {}",
                 found ? "'" + excerpt(fmt::format("{}", fmt::join(fields, ","))) + "'"
                       : "nothing");
}

bool is_of_number(char letter) {
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '+' || letter == '-';
}

} // namespace

HistogramTable read_csv(InputFile &file) {
    CsvRecords records(file);
    std::vector<std::string> fields;
    const Heading heading = read_heading(records, fields);
    const std::size_t columns = fields.size();
    HistogramTable table;
    table.words = heading.words;
    Numbers numbers(records);
    while (records.next(fields)) {
        const bool is_blank = std::ranges::all_of(fields, &std::string::empty);
        if (is_blank) continue; // as spreadsheets leave below a table
        if (fields.size() != columns)
            records.fail("expected {} fields, found {}{}", columns, fields.size(),
                         fields.size() < 2 * heading.words + 2
                             ? ""
                             : "; decimal commas, maybe: save it with points");
        numbers.parse_whole(fields[heading.image + 1], heading.image + 2);
        for (std::size_t field = heading.image + 2; field < columns; ++field)
            table.values.push_back(numbers.parse(fields[field], field + 1));
        table.images.push_back(fields[heading.image]);
    }
    table.content = heading.content;
    return table;
}

TableSize size_of_text(InputFile &file) {
    constexpr std::size_t sample = 1 << 18;
    const std::string begin = file.peek(sample);
    if (begin.empty()) return {};
    std::uint64_t numbers = 0;
    std::uint64_t lines = 1;
    for (std::size_t i = 0; i < begin.size(); ++i) {
        if (begin[i] == '\n') ++lines;
        if (is_of_number(begin[i]) && (i == 0 || !is_of_number(begin[i - 1]))) ++numbers;
    }
    const double times = static_cast<double>(file.size()) / static_cast<double>(begin.size());
    const auto all = [&](std::uint64_t some) {
        return static_cast<std::uint64_t>(times * static_cast<double>(some));
    };
    // a vector that grows holds its values and a copy with as much room again
    return {all(lines), all(numbers), 3 * all(numbers) * sizeof(float)};
}

namespace {

/// The number of the column with that name, from 0.
std::size_t column_of(const std::vector<std::string> &heading, const std::string &name,
                      const CsvRecords &records) {
    const auto found = std::ranges::find(heading, name);
    if (found == heading.end())
        records.fail("expected the heading image,label, found '{}', without {}",
                     excerpt(fmt::format("{}", fmt::join(heading, ","))), name);
    return static_cast<std::size_t>(found - heading.begin());
}

} // namespace

std::map<std::string, std::string> read_labels(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    CsvRecords records(file);
    std::vector<std::string> fields;
    if (!records.next(fields)) records.fail("is empty; it needs a heading, image,label");
    const std::size_t image = column_of(fields, "image", records);
    const std::size_t label = column_of(fields, "label", records);
    std::map<std::string, std::string> labels;
    while (records.next(fields)) {
        if (fields.size() <= std::max(image, label))
            records.fail("expected at least {} fields, found {}", std::max(image, label) + 1,
                         fields.size());
        if (fields[label].empty()) continue;
        const auto [found, is_new] = labels.emplace(fields[image], fields[label]);
        if (!is_new && found->second != fields[label])
            records.fail("{} has the label {} and another in an earlier line",
                         excerpt(fields[image]), excerpt(fields[label]));
    }
    return labels;
}

} // namespace bowhist
