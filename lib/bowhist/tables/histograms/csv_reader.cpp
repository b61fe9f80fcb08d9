// Histograms as CSV, also as spreadsheets and pandas save it: with other separators and encodings
// (csv_records.hpp), decimal commas, and an index in front, which has no name.

#include <bowhist/core/printable.hpp>
#include <bowhist/tables/histograms/csv_records.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {

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

} // namespace bowhist
