// Histograms as .npy: a table of n images by k words, uint32, or float32 when normalized. It names
// no image; the rows are the inputs' in their order.

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

namespace bowhist {

namespace {

class NpyWriter : public HistogramWriter {
  public:
    NpyWriter(const Path &path, HistogramFileInfo info) : info_(std::move(info)), file_(path) {
        file_.rewind(); // refused by a pipe before hours of work
        write_header();
    }

    void write(const Histogram &row) override {
        require_words(row, info_, file_.destination());
        with_features(row, info_, [&](auto values) { file_.write(bytes_of(values)); });
        ++rows_;
    }

    void finish() override {
        file_.rewind();
        write_header();
        file_.commit();
    }

  private:
    void write_header() { file_.write(npy_header(npy_type(info_), {rows_, info_.words})); }

    HistogramFileInfo info_;
    AtomicFile file_;
    std::uint64_t rows_ = 0;
};

} // namespace

std::unique_ptr<HistogramWriter> write_npy(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<NpyWriter>(path, info);
}

} // namespace bowhist
