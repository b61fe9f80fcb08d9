#pragma once

#include <bowhist/core/histogram.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

// The formats of histograms behind open_histograms and read_histograms: one file each.

namespace bowhist {

using Path = std::filesystem::path;

std::unique_ptr<HistogramWriter> write_csv(const Path &path, const HistogramFileInfo &info);
std::unique_ptr<HistogramWriter> write_jsonl(const Path &path, const HistogramFileInfo &info);
std::unique_ptr<HistogramWriter> write_svm(const Path &path, const HistogramFileInfo &info);

/// Appends a field as RFC 4180 demands: one that holds a comma, a quote, CR or LF stands in quotes,
/// with its own quotes doubled; any other stays as it is.
void append_csv_field(std::string &line, std::string_view field);

/// Appends the label in front of a line of `.svm`.
void append_svm_label(std::string &line, std::string_view image,
                      const std::optional<FolderLabels> &labels);

/// Appends " # " and the image's path, as the end of a line of `.svm`.
void append_svm_comment(std::string &line, std::string_view image);

std::unique_ptr<HistogramWriter> write_npy(const Path &path, const HistogramFileInfo &info);
std::unique_ptr<HistogramWriter> write_matrix(const Path &path, const HistogramFileInfo &info);
std::unique_ptr<HistogramWriter> write_npz(const Path &path, const HistogramFileInfo &info);

/// read_histograms sets `file`, and `content` where it is `either`.
HistogramTable read_csv(InputFile &file);
HistogramTable read_npy(InputFile &file);
HistogramTable read_npz(InputFile &file);
HistogramTable read_jsonl(InputFile &file);

/// The file's position stays. A file that is damaged has any size: reading it reports the error.
TableSize size_of_text(InputFile &file);
TableSize size_of_npy(InputFile &file);
TableSize size_of_npz(InputFile &file);

/// @throws Error{Fault::output} when the row has another number of words than the file
void require_words(const Histogram &row, const HistogramFileInfo &info, const Path &path);

/// Calls `use` with what the file holds of a row: a span of its counts (std::uint32_t), or of the
/// normalized ones (float).
template <typename Use>
void with_features(const Histogram &row, const HistogramFileInfo &info, const Use &use) {
    if (info.normalization == Normalization::none) {
        use(std::span<const std::uint32_t>(row.counts));
    } else {
        const std::vector<float> values = features(row.counts, info.normalization, info.weights);
        use(std::span<const float>(values));
    }
}

/// The shortest text that reads back as `value`.
template <typename Number>
void append_number(std::string &text, Number value) {
    std::array<char, 32> digits; // 20 suffice for 64 bits, 16 for a float
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
}

/// The finite number that is all of `text`.
std::optional<float> parse_number(std::string_view text);

/// The type of a binary file's values: '<u4' or, when normalized, '<f4'.
std::string_view npy_type(const HistogramFileInfo &info);

} // namespace bowhist

namespace bowhist {

/// A member of `meta`'s JSON object with a comma behind it; nothing without a rule.
inline std::string rule_member(const std::string &rule) {
    return rule.empty() ? "" : "\"rule\": " + json_string(rule) + ", ";
}

} // namespace bowhist
