// Histograms in the sparse text of LIBSVM and SVMlight, one line per image:
//
//     0 1:3 17:2 # a.jpg
//
// The label is 0. Words are numbered from 1, and only those that occur are named. The comment is
// the path; CR, LF and '%' in it appear as %0D, %0A and %25, since a comment ends with its line.
// The file does not tell k, so it cannot be read back.

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/histogram_formats.hpp>

namespace bowhist {

namespace {

void append_comment(std::string &line, std::string_view path) {
    line += " # ";
    for (const char letter : path) {
        switch (letter) {
        case '\r':
            line += "%0D";
            break;
        case '\n':
            line += "%0A";
            break;
        case '%':
            line += "%25";
            break;
        default:
            line += letter;
        }
    }
}

class SvmWriter : public HistogramWriter {
  public:
    SvmWriter(const Path &path, HistogramFileInfo info) : info_(std::move(info)), file_(path) {}

    void write(const Histogram &row) override {
        require_words(row, info_, file_.destination());
        line_ = "0";
        with_features(row, info_, [&](auto values) {
            for (std::uint64_t word = 0; word < values.size(); ++word) {
                if (values[word] == 0) continue;
                line_ += ' ';
                append_number(line_, word + 1);
                line_ += ':';
                append_number(line_, values[word]);
            }
        });
        append_comment(line_, row.image);
        line_ += '\n';
        file_.write(line_);
    }

    void finish() override { file_.commit(); }

  private:
    HistogramFileInfo info_;
    AtomicFile file_;
    std::string line_;
};

} // namespace

std::unique_ptr<HistogramWriter> write_svm(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<SvmWriter>(path, info);
}

} // namespace bowhist
