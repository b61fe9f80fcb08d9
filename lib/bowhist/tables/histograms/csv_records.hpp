#pragma once

#include <bowhist/io/utf8_text.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// The records of a CSV file, RFC 4180; a CR before the LF belongs to the line's end.
/// Spreadsheets save it in other ways, too: with a byte order mark, in UTF-16, with another
/// separator (the first of comma, semicolon, tab and bar on the first line), and with a first line
/// "sep=;" that names it.
class CsvRecords {
  public:
    /// @param file  borrowed: it outlives this object, which alone reads it
    explicit CsvRecords(InputFile &file);

    /// The next record's fields; false behind the last one.
    bool next(std::vector<std::string> &fields);

    char separator() const { return separator_; }

    template <typename... Values>
    [[noreturn]] void fail(fmt::format_string<Values...> what, Values &&...values) const {
        file_.fail("line {}: {}", line_, fmt::format(what, std::forward<Values>(values)...));
    }

  private:
    /// Both append a field and return what ended it: the separator, '\n' or EOF.
    int plain(int byte, std::string &field);
    int quoted(std::string &field);

    InputFile &file_;
    Utf8Bytes bytes_;
    char separator_ = ',';
    std::size_t line_ = 1; ///< where the last record began
    std::size_t next_line_ = 1;
};

} // namespace bowhist
