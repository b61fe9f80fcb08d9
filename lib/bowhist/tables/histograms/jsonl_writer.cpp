// Histograms as JSON lines, one object per image:
//
//     {"image":"a.jpg","descriptors":3,"histogram":[1,2,...]}
//
// The image is its path as text; a byte b that is not UTF-8 appears as \udcXX, XX being b, as
// Python's surrogateescape has it (os.fsencode gives the bytes back).

#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

namespace bowhist {

void append_jsonl(std::string &line, const Histogram &row, const HistogramFileInfo &info) {
    line += "{\"image\":" + json_string(row.image) + ",\"descriptors\":";
    append_number(line, row.descriptors);
    line += ",\"histogram\":[";
    with_features(row, info, [&](auto values) {
        for (const auto value : values) {
            append_number(line, value);
            line += ',';
        }
    });
    if (line.back() == ',') line.pop_back();
    line += "]}";
}

} // namespace bowhist
