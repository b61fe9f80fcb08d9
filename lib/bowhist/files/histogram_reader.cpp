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
    return std::floor(value) == value;
}

bool is_out_of_range(float value) {
    // no float32 lies between: the largest count, 4294967295, is held as 2^32
    return value < 0 || value > 4294967296.0F;
}

/// What no writer of histograms makes, whatever the format.
void require_histograms(const HistogramTable &table, const std::string &name) {
    if (table.words == 0)
        throw Error(Fault::input,
                    name + ": has no words; expected histograms of at least one word");
    const auto bad = std::ranges::find_if(table.values, is_out_of_range);
    if (bad == table.values.end()) return;
    const auto place = static_cast<std::size_t>(bad - table.values.begin());
    throw Error(Fault::input,
                fmt::format("{}: row {} holds {} for word {}; expected counts or shares from 0 to "
                            "4294967295 (rows count from 0)",
                            name, place / table.words, *bad, place % table.words));
}

} // namespace

HistogramTable read_histograms(const Path &path) {
    HistogramTable table = read_by_ending(path);
    require_histograms(table, printable(path));
    table.counts = std::ranges::all_of(table.values, is_count);
    return table;
}

bool parse_number(std::string_view text, float &value) {
    const char *end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end && std::isfinite(value);
}

} // namespace bowhist
