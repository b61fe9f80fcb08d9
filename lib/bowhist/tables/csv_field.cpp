#include <bowhist/tables/csv_field.hpp>

namespace bowhist {

void append_csv_field(std::string &line, std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        line += field;
        return;
    }
    line += '"';
    for (const char letter : field) {
        if (letter == '"') line += '"';
        line += letter;
    }
    line += '"';
}

} // namespace bowhist
