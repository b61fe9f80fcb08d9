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
    std::string_view beginning; ///< the first bytes; empty: any
    HistogramTable (*read)(InputFile &);
};

using namespace std::string_view_literals;

constexpr std::array formats{Format{".npy", "\x93NUMPY"sv, read_npy},
                             Format{".npz", "PK"sv, read_npz}, Format{".jsonl", "{"sv, read_jsonl},
                             Format{".csv", ""sv, read_csv}};

HistogramTable read_by_ending(const Path &path) {
    const std::string ending = ending_of(path);
    for (const Format &format : formats) {
        if (ending != format.ending) continue;
        InputFile file(path, Fault::input);
        return format.read(file);
    }
    if (ending == ".svm")
        throw Error(Fault::input, fmt::format("{}: an .svm file does not tell k, the number of "
                                              "words; use .npz, .npy, .csv or .jsonl",
                                              printable(path)));
    throw Error(Fault::input, fmt::format("{}: expected a name that ends with .csv, .npy, .npz or "
                                          ".jsonl for histograms, found '{}'",
                                          printable(path), printable(path.extension())));
}

HistogramTable read_standard_input() {
    InputFile file = InputFile::standard_input(Fault::input);
    const std::string start = file.peek(8);
    return std::ranges::find_if(
               formats, [&](const Format &format) { return start.starts_with(format.beginning); })
        ->read(file);
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

/// Whether the rows of two files can be compared.
void require_alike(const HistogramTable &first, const HistogramTable &next,
                   const std::string &first_name, const std::string &name) {
    if (next.words != first.words)
        throw Error(Fault::input, fmt::format("{}: has {} words, {} has {}; group histograms of "
                                              "one vocabulary together",
                                              name, next.words, first_name, first.words));
    const auto tells = [](const HistogramTable &table) { // rows of zeros are either
        return std::ranges::any_of(table.values, [](float value) { return value != 0; });
    };
    if (next.counts != first.counts && tells(next) && tells(first))
        throw Error(Fault::input,
                    fmt::format("{}: holds {}, {} holds {}; make both with the same --normalize",
                                name, next.counts ? "counts" : "normalised histograms", first_name,
                                first.counts ? "counts" : "normalised ones"));
}

} // namespace

HistogramTable read_histograms(const Path &path) {
    const bool standard_input = path == "-";
    HistogramTable table = standard_input ? read_standard_input() : read_by_ending(path);
    require_histograms(table, standard_input ? "standard input" : printable(path));
    table.counts = std::ranges::all_of(table.values, is_count);
    return table;
}

HistogramTable read_histograms(std::span<const Path> paths) {
    HistogramTable all = read_histograms(paths.front());
    for (const Path &path : paths.subspan(1)) {
        const HistogramTable next = read_histograms(path);
        require_alike(all, next, printable(paths.front()), printable(path));
        for (const std::string &image : next.images)
            all.images.push_back(next.named ? image : std::to_string(all.images.size()));
        all.values.insert(all.values.end(), next.values.begin(), next.values.end());
        all.counts = all.counts && next.counts;
    }
    return all;
}

bool parse_number(std::string_view text, float &value) {
    const char *end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end && std::isfinite(value);
}

} // namespace bowhist
