#include <bowhist/tables/histograms/histogram_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <array>
#include <fmt/format.h>

namespace bowhist {

namespace {

/// A line of text for each row.
template <auto append>
class TextWriter : public HistogramWriter {
  public:
    TextWriter(const Path &path, const HistogramFileInfo &info, const std::string &heading = {})
        : info_(info), file_(file_or_standard_output(path)) {
        file_.write(heading);
    }

    void write(const Histogram &row) override {
        require_words(row, info_, file_.destination());
        line_.clear();
        append(line_, row, info_);
        line_ += '\n';
        file_.write(line_);
    }

    void finish() override { file_.commit(); }

  private:
    HistogramFileInfo info_;
    AtomicFile file_;
    std::string line_;
};

template <auto append>
std::unique_ptr<HistogramWriter> write_text(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<TextWriter<append>>(path, info);
}

std::unique_ptr<HistogramWriter> write_csv(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<TextWriter<append_csv>>(path, info, csv_heading(info));
}

struct Format {
    std::string_view ending;
    std::unique_ptr<HistogramWriter> (*open)(const Path &, const HistogramFileInfo &);
};

constexpr std::array formats{Format{".csv", write_csv}, Format{".npy", write_npy},
                             Format{".npz", write_npz}, Format{".jsonl", write_text<append_jsonl>},
                             Format{".svm", write_text<append_svm>}};

} // namespace

std::unique_ptr<HistogramWriter> open_histograms(const Path &path, const HistogramFileInfo &info) {
    if (path.empty()) return write_csv(path, info);
    const std::string ending = ending_of(path);
    for (const Format &format : formats) {
        if (ending == format.ending) return format.open(path, info);
    }
    throw Error(Fault::usage, fmt::format("{}: expected a name that ends with .csv, .npy, .npz, "
                                          ".jsonl or .svm for histograms, found '{}'",
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
