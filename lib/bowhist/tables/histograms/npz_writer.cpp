// Histograms as .npz (npz.hpp):
//
//     histograms.npy   n×k, uint32, or float32 when normalized
//     images.npy       n names, '<U' as wide as the longest; bytes that are not UTF-8 as Python's
//                      surrogateescape does it
//     descriptors.npy  n, uint32: how many descriptors each image has
//     meta.npy         a single text, JSON: fingerprint (of the vocabulary), extractor,
//                      normalization, rule (only "descend"), version (of bowhist)
//
// Rows are spooled to files beside the destination, so memory does not grow with them; the names
// are laid out at the end, when the longest is known.

#include <bowhist/core/version.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>

#include <fmt/format.h>

#include <array>
#include <vector>

namespace bowhist {

// Histograms as .npy: a table of n images by k words, uint32, or float32 when normalized. It names
// no image; the rows are the inputs' in their order.

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

// Histograms as .fbin and .fvecs: rows of k float32, as rows of any encoding (row_writer.cpp).
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

namespace {

class NpzWriter : public HistogramWriter {
  public:
    NpzWriter(const Path &path, HistogramFileInfo info)
        : destination_(path), info_(std::move(info)), archive_(path), histograms_(path),
          descriptors_(path), names_(path) {
        histograms_.stream.write(npy_header(npy_type(info_), {0, info_.words}));
        descriptors_.stream.write(npy_header("<u4", {0}));
    }

    void write(const Histogram &row) override {
        require_words(row, info_, destination_);
        with_features(row, info_, [&](auto values) { histograms_.stream.write(bytes_of(values)); });
        descriptors_.stream.write(bytes_of(std::array{row.descriptors}));
        names_.add(row.image);
        ++rows_;
    }

    void finish() override {
        histograms_.stream.rewind();
        histograms_.stream.write(npy_header(npy_type(info_), {rows_, info_.words}));
        descriptors_.stream.rewind();
        descriptors_.stream.write(npy_header("<u4", {rows_}));
        Spool images(destination_);
        names_.lay_out(images);
        archive_.add("histograms.npy", histograms_);
        archive_.add("images.npy", images);
        archive_.add("descriptors.npy", descriptors_);
        archive_.add_text("meta.npy", meta());
        archive_.commit();
    }

  private:
    std::string meta() const {
        return fmt::format(
            R"({{"fingerprint": {}, "extractor": {}, "normalization": {}, {}"version": {}}})",
            json_string(info_.fingerprint), json_string(info_.extractor),
            json_string(name_of(info_.normalization)), rule_member(info_.rule),
            json_string(version()));
    }

    Path destination_;
    HistogramFileInfo info_;
    NpzArchive archive_;
    Spool histograms_;
    Spool descriptors_;
    NameColumn names_;
    std::uint64_t rows_ = 0;
};

} // namespace

std::unique_ptr<HistogramWriter> write_npz(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<NpzWriter>(path, info);
}

// Rows of images as .npz (npz.hpp):
//
//     rows.npy    n×D, int8 of codes, else float32
//     images.npy  n names, as those of histograms
//     meta.npy    a single text, JSON: encoding, fingerprint (of the model), extractor, prepare,
//                 of histograms normalization and rule (only "descend"), version (of bowhist)
namespace {

class RowNpzWriter : public RowWriter {
  public:
    RowNpzWriter(const std::filesystem::path &path, RowFileInfo info)
        : destination_(path), info_(std::move(info)), archive_(path), rows_(path), names_(path) {
        rows_.stream.write(header());
    }

    void write(const RowOfImage &row) override {
        with_numbers(row, info_, [&](auto values) { rows_.stream.write(bytes_of(values)); });
        names_.add(row.image);
        ++count_;
    }

    void finish() override {
        rows_.stream.rewind();
        rows_.stream.write(header());
        Spool images(destination_);
        names_.lay_out(images);
        archive_.add("rows.npy", rows_);
        archive_.add("images.npy", images);
        archive_.add_text("meta.npy", meta());
        archive_.commit();
    }

  private:
    std::string header() const {
        return npy_header(info_.codes ? "|i1" : "<f4", {count_, info_.size});
    }

    std::string meta() const {
        const std::string normalization =
            info_.normalization.empty()
                ? ""
                : fmt::format(R"("normalization": {}, )", json_string(info_.normalization));
        return fmt::format(R"({{"encoding": {}, "fingerprint": {}, "extractor": {}, )"
                           R"("prepare": {}, {}"version": {}}})",
                           json_string(info_.encoding), json_string(info_.fingerprint),
                           json_string(info_.extractor), json_string(info_.preparation),
                           normalization + rule_member(info_.rule), json_string(version()));
    }

    std::filesystem::path destination_;
    RowFileInfo info_;
    NpzArchive archive_;
    Spool rows_;
    NameColumn names_;
    std::uint64_t count_ = 0;
};

} // namespace

std::unique_ptr<RowWriter> write_row_npz(const std::filesystem::path &path,
                                         const RowFileInfo &info) {
    return std::make_unique<RowNpzWriter>(path, info);
}

} // namespace bowhist
