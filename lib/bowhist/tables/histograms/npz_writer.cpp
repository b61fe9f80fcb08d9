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
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>
#include <bowhist/tables/histograms/rule_member.hpp>

#include <array>
#include <fmt/format.h>

namespace bowhist {

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

} // namespace bowhist
