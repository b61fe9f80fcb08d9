#include <bowhist/files/histogram_reader.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/files/ending.hpp>
#include <bowhist/files/histogram_formats.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace bowhist {

namespace {

struct Format {
    std::string_view ending;
    HistogramTable (*read)(const Path &);
};

constexpr std::array formats{Format{".csv", read_csv}, Format{".npy", read_npy},
                             Format{".npz", read_npz}, Format{".jsonl", read_jsonl}};

HistogramTable read_by_ending(const Path &path) {
    const std::string ending = ending_of(path);
    for (const Format &format : formats) {
        if (ending == format.ending) return format.read(path);
    }
    if (ending == ".svm")
        throw Error(Fault::input, fmt::format("{}: an .svm file does not tell k, the number of "
                                              "words; use .npz, .npy, .csv or .jsonl",
                                              printable(path)));
    throw Error(Fault::input, fmt::format("{}: expected a name that ends with .csv, .npy, .npz or "
                                          ".jsonl for histograms, found '{}'",
                                          printable(path), printable(path.extension())));
}

bool is_count(float value) {
    return value >= 0 && std::floor(value) == value;
}

} // namespace

HistogramTable read_histograms(const Path &path) {
    HistogramTable table = read_by_ending(path);
    table.counts = std::all_of(table.values.begin(), table.values.end(), is_count);
    return table;
}

bool parse_number(std::string_view text, float &value) {
    const char *end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end && std::isfinite(value);
}

} // namespace bowhist
