#include <bowhist/tables/histograms/histogram_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

#include <array>

namespace bowhist {

// Histograms as text, a line for each image. Counts are integers; normalized ones floats in the
// shortest form that reads back.
//
// CSV, RFC 4180 with line feeds:
//
//     image,descriptors,w0,w1,...     one line of names
//     a.jpg,3,1,2,...
//
// The image is its path, byte for byte; one that holds a comma, a quote, CR or LF stands in quotes,
// with its own quotes doubled.
//
// JSON lines:
//
//     {"image":"a.jpg","descriptors":3,"histogram":[1,2,...]}
//
// The image is its path as text; a byte b that is not UTF-8 appears as \udcXX, XX being b, as
// Python's surrogateescape has it (os.fsencode gives the bytes back).
//
// The sparse text of LIBSVM and SVMlight:
//
//     0 1:3 17:2 # a.jpg
//
// The label is 0, or the number of the image's folder. Words are numbered from 1, and only those
// that occur are named. The comment is the path; CR, LF, ':' and '%' in it appear as %0D, %0A, %3A
// and %25: a comment ends with its line, and svm-train and liblinear, which know no comments, take
// "# 12" of "# 12:30" for a word's number. The file does not record k, so it cannot be read back.

void append_csv_field(std::string &line, std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        line += field;
        return;
    }
    line += '"';
    for (const char letter : field) {
        if (letter == '"') line += '"';
        line += letter;
    }
    line += '"';
}

void append_svm_label(std::string &line, std::string_view image,
                      const std::optional<FolderLabels> &labels) {
    append_number(line, labels ? labels->of(std::string(image)) : 0);
}

void append_svm_comment(std::string &line, std::string_view image) {
    line += " # ";
    for (const char letter : image) {
        if (letter == '\r' || letter == '\n' || letter == ':' || letter == '%')
            line += fmt::format("%{:02X}", letter);
        else
            line += letter;
    }
}

namespace {

std::string csv_heading(const HistogramFileInfo &info) {
    std::string line = "image,descriptors";
    for (std::uint64_t word = 0; word < info.words; ++word) {
        line += ",w";
        append_number(line, word);
    }
    return line + '\n';
}

void append_csv(std::string &line, const Histogram &row, const HistogramFileInfo &info) {
    append_csv_field(line, row.image);
    line += ',';
    append_number(line, row.descriptors);
    with_features(row, info, [&](auto values) {
        for (const auto value : values) {
            line += ',';
            append_number(line, value);
        }
    });
}

void append_jsonl(std::string &line, const Histogram &row, const HistogramFileInfo &info) {
    line += "{\"image\":" + json_string(row.image) + ",\"descriptors\":";
    append_number(line, row.descriptors);
    line += ",\"histogram\":[";
    with_features(row, info, [&](auto values) {
        for (const auto value : values) {
            append_number(line, value);
            line += ',';
        }
    });
    if (line.back() == ',') line.pop_back();
    line += "]}";
}

void append_svm(std::string &line, const Histogram &row, const HistogramFileInfo &info) {
    append_svm_label(line, row.image, info.labels);
    with_features(row, info, [&](auto values) {
        for (std::uint64_t word = 0; word < values.size(); ++word) {
            if (values[word] == 0) continue;
            line += ' ';
            append_number(line, word + 1);
            line += ':';
            append_number(line, values[word]);
        }
    });
    append_svm_comment(line, row.image);
}

template <auto append>
class TextWriter : public HistogramWriter {
  public:
    TextWriter(const Path &path, const HistogramFileInfo &info, const std::string &heading = {})
        : info_(info), file_(file_or_standard_output(path)) {
        file_.write(heading);
    }

    void write(const Histogram &row) override {
        require_words(row, info_, file_.destination());
        line_.clear();
        append(line_, row, info_);
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

std::unique_ptr<HistogramWriter> write_csv(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<TextWriter<append_csv>>(path, info, csv_heading(info));
}

std::unique_ptr<HistogramWriter> write_jsonl(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<TextWriter<append_jsonl>>(path, info);
}

std::unique_ptr<HistogramWriter> write_svm(const Path &path, const HistogramFileInfo &info) {
    return std::make_unique<TextWriter<append_svm>>(path, info);
}

std::string groups_csv(const GroupsTable &table) {
    std::string text = "image,group,distance";
    for (std::size_t level = 1; level <= table.levels.size(); ++level)
        text += fmt::format(",level{}", level);
    text += '\n';
    for (std::size_t row = 0; row < table.images.size(); ++row) {
        append_csv_field(text, table.images[row]);
        // {} is the shortest form
        text += fmt::format(",{},{}", table.groups[row], table.distances[row]);
        for (const auto &level : table.levels) text += fmt::format(",{}", level[row]);
        text += '\n';
    }
    return text;
}

namespace {

struct Format {
    std::string_view ending;
    std::unique_ptr<HistogramWriter> (*open)(const Path &, const HistogramFileInfo &);
};

constexpr std::array formats{Format{".csv", write_csv},     Format{".npy", write_npy},
                             Format{".npz", write_npz},     Format{".jsonl", write_jsonl},
                             Format{".svm", write_svm},     Format{".fbin", write_matrix},
                             Format{".fvecs", write_matrix}};

} // namespace

std::unique_ptr<HistogramWriter> open_histograms(const Path &path, const HistogramFileInfo &info) {
    if (path.empty()) return write_csv(path, info);
    if (const Format *format = row_by_ending(formats, path)) return format->open(path, info);
    throw Error(Fault::usage,
                fmt::format("{}: expected a name that ends with .csv, .npy, .npz, "
                            ".jsonl, .svm, .fbin or .fvecs for histograms, found '{}'",
                            path, excerpt(path.extension().native())));
}

void require_words(const Histogram &row, const HistogramFileInfo &info, const Path &path) {
    if (row.counts.size() == info.words) return;
    throw Error(Fault::output,
                fmt::format("{}: expected {} words in each row, found {} in that of {}",
                            path.empty() ? "standard output" : printable(path), info.words,
                            row.counts.size(), printable(row.image)));
}

std::string_view npy_type(const HistogramFileInfo &info) {
    return info.normalization == Normalization::none ? "<u4" : "<f4";
}

} // namespace bowhist
