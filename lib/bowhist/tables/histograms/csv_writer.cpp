// Histograms as CSV, RFC 4180 with line feeds:
//
//     image,descriptors,w0,w1,...     one line of names
//     a.jpg,3,1,2,...                 one line per image
//
// Counts are integers; normalized ones floats in the shortest form that reads back. The image is
// its path, byte for byte; one that holds a comma, a quote, CR or LF stands in quotes, with its
// own quotes doubled.

#include <bowhist/tables/histograms/histogram_formats.hpp>

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

std::string csv_heading(const HistogramFileInfo &info) {
    std::string line = "image,descriptors";
    for (std::uint64_t word = 0; word < info.words; ++word) {
        line += ",w";
        append_number(line, word);
    }
    return line + '\n';
}

void append_csv(std::string &line, const Histogram &row, const HistogramFileInfo &info) {
    append_csv_field(line, row.image);
    line += ',';
    append_number(line, row.descriptors);
    with_features(row, info, [&](auto values) {
        for (const auto value : values) {
            line += ',';
            append_number(line, value);
        }
    });
}

} // namespace bowhist
