#include <bowhist/core/printable.hpp>
#include <bowhist/tables/histogram_formats.hpp>

#include <fmt/format.h>

namespace bowhist {

namespace {

/// The records of a CSV file, RFC 4180; a CR before the LF is taken for a part of the line's end.
/// What spreadsheets save may begin with a byte order mark.
class CsvRecords {
  public:
    explicit CsvRecords(InputFile &file) : file_(file) {
        if (file_.peek(3) == "\xEF\xBB\xBF") file_.skip(3);
    }

    /// The next record's fields; false behind the last one.
    bool next(std::vector<std::string> &fields) {
        line_ = next_line_;
        int byte = file_.next_byte();
        if (byte == EOF) return false;
        for (std::size_t i = 0;; ++i) {
            if (i == fields.size()) fields.emplace_back();
            fields[i].clear();
            byte = byte == '"' ? quoted(fields[i]) : plain(byte, fields[i]);
            if (byte != ',') {
                fields.resize(i + 1);
                break;
            }
            byte = file_.next_byte();
        }
        ++next_line_;
        return true;
    }

    std::size_t line() const { return line_; } ///< where the last record began, from 1

    [[noreturn]] void fail(const std::string &what) const {
        file_.fail(fmt::format("line {}: {}", line_, what));
    }

  private:
    /// Both append a field and return what ended it: ',' or '\n' or EOF.
    int plain(int byte, std::string &field) {
        for (; byte != ',' && byte != '\n' && byte != EOF; byte = file_.next_byte())
            field += static_cast<char>(byte);
        if (byte == '\n' && field.ends_with('\r')) field.pop_back();
        return byte;
    }

    int quoted(std::string &field) {
        for (;;) {
            int byte = file_.next_byte();
            if (byte == EOF) fail("a quoted field never ends");
            if (byte == '\n') ++next_line_;
            if (byte == '"') {
                byte = file_.next_byte();
                if (byte == '\r') byte = file_.next_byte();
                if (byte == ',' || byte == '\n' || byte == EOF) return byte;
                if (byte != '"') fail("expected a comma or the line's end behind a quoted field");
            }
            field += static_cast<char>(byte);
        }
    }

    InputFile &file_;
    std::size_t line_ = 1;
    std::size_t next_line_ = 1;
};

bool is_heading(const std::vector<std::string> &fields) {
    if (fields.size() < 2 || fields[0] != "image" || fields[1] != "descriptors") return false;
    std::string expected;
    for (std::uint64_t word = 0; word + 2 < fields.size(); ++word) {
        expected = "w";
        append_number(expected, word);
        if (fields[word + 2] != expected) return false;
    }
    return true;
}

} // namespace

HistogramTable read_csv(InputFile &file) {
    CsvRecords records(file);
    std::vector<std::string> fields;
    if (!records.next(fields) || !is_heading(fields))
        records.fail("expected the names image,descriptors,w0,w1,... as bowhist writes them");
    HistogramTable table;
    table.words = fields.size() - 2;
    while (records.next(fields)) {
        if (fields.size() != table.words + 2)
            records.fail(
                fmt::format("expected {} fields, found {}", table.words + 2, fields.size()));
        for (std::size_t field = 1; field < fields.size(); ++field) {
            const auto value = parse_number(fields[field]);
            if (!value)
                records.fail(fmt::format("expected a number in field {}, found '{}'", field + 1,
                                         excerpt(fields[field])));
            if (field >= 2) table.values.push_back(*value);
        }
        table.images.push_back(fields[0]);
    }
    return table;
}

} // namespace bowhist
