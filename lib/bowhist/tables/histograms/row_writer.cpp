// Rows of images, by ending; .npz is in npz_writer.cpp:
//
//     .npy    n×D, int8 of codes, else float32; without names, in the inputs' order
//     .csv    a line of names, image,descriptors,v0,v1,... (of codes c0,c1,...), then a line for
//     each
//             image
//     .jsonl  a line for each image: {"image":"a.jpg","descriptors":3,"row":[...]}, of codes "code"
//     .svm    a line for each image, as of histograms: 0 1:-3 17:2 # a.jpg; or its label
//     .fbin   uint32 n, uint32 D, then n·D float32; without names
//     .fvecs  of each image int32 D, then D float32; without names

#include <bowhist/tables/histograms/row_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

#include <array>
#include <vector>

namespace bowhist {
namespace {

/// Appends the numbers, and `between` them.
void append_numbers(std::string &line, const RowOfImage &row, const RowFileInfo &info,
                    char between) {
    with_numbers(row, info, [&](auto values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) line += between;
            append_number(line, +values[i]);
        }
    });
}

void append_csv_row(std::string &line, const RowOfImage &row, const RowFileInfo &info) {
    append_csv_field(line, row.image);
    line += ',';
    append_number(line, row.descriptors);
    line += ',';
    append_numbers(line, row, info, ',');
}

void append_jsonl_row(std::string &line, const RowOfImage &row, const RowFileInfo &info) {
    line += "{\"image\":" + json_string(row.image) + ",\"descriptors\":";
    append_number(line, row.descriptors);
    line += info.codes ? ",\"code\":[" : ",\"row\":[";
    append_numbers(line, row, info, ',');
    line += "]}";
}

void append_svm_row(std::string &line, const RowOfImage &row, const RowFileInfo &info) {
    append_svm_label(line, row.image, info.labels);
    with_numbers(row, info, [&](auto values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] == 0) continue;
            line += ' ';
            append_number(line, i + 1);
            line += ':';
            append_number(line, +values[i]);
        }
    });
    append_svm_comment(line, row.image);
}

std::string csv_heading(const RowFileInfo &info) {
    std::string line = "image,descriptors";
    for (std::size_t i = 0; i < info.size; ++i)
        line += fmt::format(",{}{}", info.codes ? 'c' : 'v', i);
    return line + '\n';
}

/// A line of text for each row.
class TextRows : public RowWriter {
  public:
    using Append = void (*)(std::string &line, const RowOfImage &row, const RowFileInfo &info);

    TextRows(const std::filesystem::path &path, const RowFileInfo &info, Append append,
             const std::string &heading)
        : info_(info), append_(append), file_(file_or_standard_output(path)) {
        file_.write(heading);
    }

    void write(const RowOfImage &row) override {
        line_.clear();
        append_(line_, row, info_);
        line_ += '\n';
        file_.write(line_);
    }

    void finish() override { file_.commit(); }

  private:
    RowFileInfo info_;
    Append append_;
    AtomicFile file_;
    std::string line_;
};

/// Rows end to end behind a header that holds their number.
class BinaryRows : public RowWriter {
  public:
    /// @param header    makes a header for that many rows; null where the format has no header
    /// @param in_front  of each row
    using Header = std::string (*)(std::uint64_t rows, const RowFileInfo &info);

    BinaryRows(const std::filesystem::path &path, const RowFileInfo &info, Header header,
               std::string in_front, bool as_floats)
        : info_(info), header_(header), in_front_(std::move(in_front)), as_floats_(as_floats),
          file_(path) {
        if (!header_) return;
        file_.rewind(); // refused by a pipe before hours of work
        file_.write(header_(0, info_));
    }

    void write(const RowOfImage &row) override {
        file_.write(in_front_);
        with_numbers(row, info_, [&](auto values) {
            if (as_floats_)
                file_.write(bytes_of(std::vector<float>(values.begin(), values.end())));
            else
                file_.write(bytes_of(values));
        });
        ++rows_;
    }

    void finish() override {
        if (header_) {
            file_.rewind();
            file_.write(header_(rows_, info_));
        }
        file_.commit();
    }

  private:
    RowFileInfo info_;
    Header header_;
    std::string in_front_;
    bool as_floats_;
    AtomicFile file_;
    std::uint64_t rows_ = 0;
};

std::string npy_beginning(std::uint64_t rows, const RowFileInfo &info) {
    return npy_header(info.codes ? "|i1" : "<f4", {rows, info.size});
}
std::string fbin_beginning(std::uint64_t rows, const RowFileInfo &info) {
    return fbin_header(rows, info.size);
}

} // namespace

std::unique_ptr<RowWriter> open_rows(const std::filesystem::path &path, const RowFileInfo &info) {
    const std::string ending = path.empty() ? ".csv" : ending_of(path);
    if (ending == ".csv")
        return std::make_unique<TextRows>(path, info, append_csv_row, csv_heading(info));
    if (ending == ".jsonl") return std::make_unique<TextRows>(path, info, append_jsonl_row, "");
    if (ending == ".svm") return std::make_unique<TextRows>(path, info, append_svm_row, "");
    if (ending == ".npz") return write_row_npz(path, info);
    if (ending == ".npy") return std::make_unique<BinaryRows>(path, info, npy_beginning, "", false);
    if (ending == ".fbin")
        return std::make_unique<BinaryRows>(path, info, fbin_beginning, "", true);
    const std::string size(bytes_of(std::array{static_cast<std::int32_t>(info.size)}));
    if (ending == ".fvecs") return std::make_unique<BinaryRows>(path, info, nullptr, size, true);
    throw Error(Fault::usage, fmt::format("{}: expected a name that ends with .npz, .npy, .csv, "
                                          ".jsonl, .svm, .fbin or .fvecs for rows, found '{}'",
                                          path, excerpt(path.extension().native())));
}

} // namespace bowhist
