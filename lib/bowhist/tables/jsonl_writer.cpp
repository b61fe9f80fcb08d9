// Histograms as JSON lines, one object per image:
//
//     {"image":"a.jpg","descriptors":3,"histogram":[1,2,...]}
//
// The image is its path as text; a byte b that is not UTF-8 appears as \udcXX, XX being b, as
// Python's surrogateescape has it (os.fsencode gives the bytes back).

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/histogram_formats.hpp>

namespace bowhist {

namespace {

class JsonlWriter : public HistogramWriter {
  public:
    JsonlWriter(const Path &path, HistogramFileInfo info) : info_(std::move(info)), file_(path) {}

    void write(const Histogram &row) override {
        require_words(row, info_, file_.destination());
        line_ = "{\"image\":" + json_string(row.image) + ",\"descriptors\":";
        append_number(line_, row.descriptors);
        line_ += ",\"histogram\":[";
        with_features(row, info_, [&](auto values) {
            for (const auto value : values) {
                append_number(line_, value);
                line_ += ',';
            }
        });
        if (line_.back() == ',') line_.pop_back();
        line_ += "]}\n";
        file_.write(line_);
    }

    void finish() override { file_.commit(); }

  private:
    HistogramFileInfo info_;
    AtomicFile file_;
    std::string line_;
};

} // namespace

std::unique_ptr<HistogramWriter> write_jsonl(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<JsonlWriter>(path, info);
}

} // namespace bowhist
