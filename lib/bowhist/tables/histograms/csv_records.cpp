#include <bowhist/tables/histograms/csv_records.hpp>

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

} // namespace bowhist
