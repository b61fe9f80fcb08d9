// Histograms as .npz: a zip archive of .npy files, as numpy.savez writes it. Nothing is
// compressed, so that rows can be mapped; zip64 where 4 GiB do not suffice.
//
//     histograms.npy   n×k, uint32, or float32 when normalised
//     images.npy       n names, '<U' as wide as the longest; bytes that are not UTF-8 as Python's
//                      surrogateescape does it
//     descriptors.npy  n, uint32: how many descriptors each image has
//     meta.npy         a single text, JSON: fingerprint (of the vocabulary), extractor,
//                      normalization, version (of bowhist)
//
// numpy.load reads it without pickle. Rows are spooled to files beside the destination, so memory
// does not grow with them; the names are laid out at the end, when the longest is known. The
// archive's dates are fixed: the same histograms are the same bytes.

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/io/zip_archive.hpp>
#include <bowhist/tables/histogram_formats.hpp>
#include <bowhist/tables/npy.hpp>

#include <array>
#include <fmt/format.h>

namespace bowhist {

namespace {

/// Bytes that wait beside the destination until they are put into the archive.
struct Spool {
    explicit Spool(const Path &destination)
        : file(destination), stream(file.path(), printable(destination)) {}

    TemporaryFile file;
    CheckedStream stream;
};

/// Text of `letters` code points: numpy's '<U'.
std::string text_type(std::uint64_t letters) {
    return fmt::format("<U{}", letters);
}

class NpzWriter : public HistogramWriter {
  public:
    NpzWriter(const Path &path, HistogramFileInfo info)
        : destination_(path), info_(std::move(info)), archive_(path), histograms_(path),
          descriptors_(path), names_(path) {
        histograms_.stream.write(npy_header(npy_type(info_), {0, info_.words}));
        descriptors_.stream.write(npy_header("<u4", {0}));
    }

    void write(const Histogram &row) override;
    void finish() override;

  private:
    void lay_out_names(Spool &images);
    std::string meta() const;
    void add(zip_t &archive, const char *entry, const Spool &spool) const;
    [[noreturn]] void fail(const char *reason) const;

    Path destination_;
    HistogramFileInfo info_;
    TemporaryFile archive_;
    Spool histograms_;
    Spool descriptors_;
    Spool names_; ///< of each: uint32 number of code points, then those
    std::uint64_t rows_ = 0;
    std::uint32_t longest_name_ = 1; ///< code points; numpy has no text of width 0
};

void NpzWriter::write(const Histogram &row) {
    require_words(row, info_, destination_);
    with_features(row, info_, [&](auto values) { histograms_.stream.write(bytes_of(values)); });
    descriptors_.stream.write(bytes_of(std::array{row.descriptors}));
    const std::u32string name = decode_path(row.image);
    const auto length = static_cast<std::uint32_t>(name.size());
    names_.stream.write(bytes_of(std::array{length}));
    names_.stream.write(bytes_of(name));
    longest_name_ = std::max(longest_name_, length);
    ++rows_;
}

void NpzWriter::lay_out_names(Spool &images) {
    names_.stream.close();
    InputFile names(names_.file.path(), Fault::output);
    images.stream.write(npy_header(text_type(longest_name_), {rows_}));
    std::u32string padded;
    for (std::uint64_t row = 0; row < rows_; ++row) {
        padded.assign(longest_name_, U'\0');
        const auto length = read_value<std::uint32_t>(names);
        names.read(std::as_writable_bytes(std::span(padded).first(length)));
        images.stream.write(bytes_of(padded));
    }
    images.stream.close();
}

std::string NpzWriter::meta() const {
    return fmt::format(
        R"({{"fingerprint": {}, "extractor": {}, "normalization": {}, "version": {}}})",
        json_string(info_.fingerprint), json_string(info_.extractor),
        json_string(name_of(info_.normalization)), json_string(version()));
}

void NpzWriter::finish() {
    histograms_.stream.rewind();
    histograms_.stream.write(npy_header(npy_type(info_), {rows_, info_.words}));
    histograms_.stream.close();
    descriptors_.stream.rewind();
    descriptors_.stream.write(npy_header("<u4", {rows_}));
    descriptors_.stream.close();
    Spool images(destination_);
    lay_out_names(images);
    Spool about(destination_);
    const std::u32string text = decode_path(meta());
    about.stream.write(npy_header(text_type(text.size()), {}));
    about.stream.write(bytes_of(text));
    about.stream.close();

    ZipArchive archive = create_zip(archive_.path(), printable(destination_));
    add(*archive, "histograms.npy", histograms_);
    add(*archive, "images.npy", images);
    add(*archive, "descriptors.npy", descriptors_);
    add(*archive, "meta.npy", about);
    if (zip_close(archive.get()) != 0) fail(zip_strerror(archive.get()));
    (void)archive.release(); // zip_close took it
    archive_.replace_destination();
}

void NpzWriter::add(zip_t &archive, const char *entry, const Spool &spool) const {
    zip_source_t *source = zip_source_file(&archive, spool.file.path().c_str(), 0, -1);
    const zip_int64_t index = source ? zip_file_add(&archive, entry, source, 0) : -1;
    if (index < 0) {
        zip_source_free(source); // the archive owns it only once it was added
        fail(zip_strerror(&archive));
    }
    const auto place = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t first_of_january_1980 = 1U << 5U | 1U;
    if (zip_set_file_compression(&archive, place, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(&archive, place, 0, first_of_january_1980, 0) != 0)
        fail(zip_strerror(&archive));
}

void NpzWriter::fail(const char *reason) const {
    throw Error(Fault::output,
                fmt::format("{}: cannot be written: {}", printable(destination_), reason));
}

} // namespace

std::unique_ptr<HistogramWriter> write_npz(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<NpzWriter>(path, info);
}

} // namespace bowhist
