// Rows of images as .npz (npz.hpp):
//
//     rows.npy    n×D, int8 of codes, else float32
//     images.npy  n names, as those of histograms
//     meta.npy    a single text, JSON: encoding, fingerprint (of the model), extractor, prepare,
//                 of histograms normalization and rule (only "descend"), version (of bowhist)

#include <bowhist/core/version.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>
#include <bowhist/tables/histograms/rule_member.hpp>

#include <fmt/format.h>

namespace bowhist {
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
