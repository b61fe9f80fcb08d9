// Histograms as .fbin and .fvecs: rows of k float32, as rows of any encoding (row_writer.cpp).

#include <bowhist/tables/histograms/histogram_formats.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>

#include <vector>

namespace bowhist {
namespace {

RowFileInfo of_floats(const HistogramFileInfo &info) {
    RowFileInfo rows;
    rows.size = info.words;
    return rows;
}

class MatrixWriter : public HistogramWriter {
  public:
    MatrixWriter(const Path &path, HistogramFileInfo info)
        : info_(std::move(info)), path_(path), rows_(open_rows(path, of_floats(info_))) {}

    void write(const Histogram &row) override {
        require_words(row, info_, path_);
        with_features(row, info_, [&](auto values) {
            const std::vector<float> numbers(values.begin(), values.end());
            rows_->write({row.image, static_cast<std::uint32_t>(row.descriptors), {}, numbers});
        });
    }

    void finish() override { rows_->finish(); }

  private:
    HistogramFileInfo info_;
    Path path_;
    std::unique_ptr<RowWriter> rows_;
};

} // namespace

std::unique_ptr<HistogramWriter> write_matrix(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<MatrixWriter>(path, info);
}

} // namespace bowhist
