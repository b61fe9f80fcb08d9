// Histograms as CSV, RFC 4180 with line feeds:
//
//     image,descriptors,w0,w1,...     one line of names
//     a.jpg,3,1,2,...                 one line per image
//
// Counts are integers; normalised ones floats in the shortest form that reads back. The image is
// its path, byte for byte; one that holds a comma, a quote, CR or LF stands in quotes, with its
// own quotes doubled.

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/csv_field.hpp>
#include <bowhist/tables/histogram_formats.hpp>

namespace bowhist {

namespace {

class CsvWriter : public HistogramWriter {
  public:
    CsvWriter(const Path &path, const HistogramFileInfo &info)
        : path_(path), info_(info), file_(file_or_standard_output(path)) {
        line_ = "image,descriptors";
        for (std::uint64_t word = 0; word < info.words; ++word) {
            line_ += ",w";
            append_number(line_, word);
        }
        write_line();
    }

    void write(const Histogram &row) override {
        require_words(row, info_, path_);
        append_csv_field(line_, row.image);
        line_ += ',';
        append_number(line_, row.descriptors);
        with_features(row, info_, [&](auto values) {
            for (const auto value : values) {
                line_ += ',';
                append_number(line_, value);
            }
        });
        write_line();
    }

    void finish() override { file_.commit(); }

  private:
    void write_line() {
        line_ += '\n';
        file_.write(line_);
        line_.clear();
    }

    Path path_;
    HistogramFileInfo info_;
    AtomicFile file_;
    std::string line_;
};

} // namespace

std::unique_ptr<HistogramWriter> write_csv(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<CsvWriter>(path, info);
}

} // namespace bowhist
