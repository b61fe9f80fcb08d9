#include <bowhist/tables/histograms/histogram_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <array>
#include <fmt/format.h>

namespace bowhist {

namespace {

struct Format {
    std::string_view ending;
    std::unique_ptr<HistogramWriter> (*open)(const Path &, const HistogramFileInfo &);
};

constexpr std::array formats{Format{".csv", write_csv},     Format{".npy", write_npy},
                             Format{".npz", write_npz},     Format{".jsonl", write_jsonl},
                             Format{".svm", write_svm},     Format{".fbin", write_matrix},
                             Format{".fvecs", write_matrix}};

} // namespace

std::unique_ptr<HistogramWriter> open_histograms(const Path &path, const HistogramFileInfo &info) {
    if (path.empty()) return write_csv(path, info);
    if (const Format *format = row_by_ending(formats, path)) return format->open(path, info);
    throw Error(Fault::usage,
                fmt::format("{}: expected a name that ends with .csv, .npy, .npz, "
                            ".jsonl, .svm, .fbin or .fvecs for histograms, found '{}'",
                            path, excerpt(path.extension().native())));
}

void require_words(const Histogram &row, const HistogramFileInfo &info, const Path &path) {
    if (row.counts.size() == info.words) return;
    throw Error(Fault::output,
                fmt::format("{}: expected {} words in each row, found {} in that of {}",
                            path.empty() ? "standard output" : printable(path), info.words,
                            row.counts.size(), printable(row.image)));
}

std::string_view npy_type(const HistogramFileInfo &info) {
    return info.normalization == Normalization::none ? "<u4" : "<f4";
}

} // namespace bowhist
