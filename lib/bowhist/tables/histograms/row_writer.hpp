#pragma once

#include <bowhist/core/folder_labels.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// The properties that all rows of a file have in common.
struct RowFileInfo {
    std::size_t size = 0;           ///< numbers in a row
    bool codes = false;             ///< whole numbers from -127 to 127, of codes; else float32
    std::string encoding;           ///< "vlad"
    std::string fingerprint;        ///< of the model
    std::string extractor;          ///< its name and options, for people
    std::string preparation;        ///< the steps as text
    std::string normalization = {}; ///< of histograms: "none", "l1" ...
    std::optional<FolderLabels> labels = {}; ///< of .svm; without them 0
    std::string rule = {};                   ///< VocabularyPair::rule() of histograms
};

/// An image and its row: `code` where the file holds codes, else `row`.
struct RowOfImage {
    std::string_view image; ///< path bytes
    std::uint32_t descriptors = 0;
    std::span<const std::int8_t> code = {};
    std::span<const float> row = {};
};

/// Writes rows of images one by one, in constant memory; row_writer.cpp describes each format.
///
/// Protocol: write*, then finish, with which the file appears.
class RowWriter {
  public:
    virtual ~RowWriter() = default;
    virtual void write(const RowOfImage &row) = 0;
    virtual void finish() = 0;
};

/// The format follows the ending: .npz .npy .csv .jsonl .svm .fbin .fvecs; an empty path is CSV on
/// standard output. @throws Error{Fault::usage} for another ending, Error{Fault::output} when it
/// cannot be written
std::unique_ptr<RowWriter> open_rows(const std::filesystem::path &path, const RowFileInfo &info);

/// The one of `.npz`.
std::unique_ptr<RowWriter> write_row_npz(const std::filesystem::path &path,
                                         const RowFileInfo &info);

/// Calls `use` with the numbers of a row, as the file holds them.
template <typename Use>
void with_numbers(const RowOfImage &row, const RowFileInfo &info, const Use &use) {
    if (info.codes)
        use(row.code);
    else
        use(row.row);
}

} // namespace bowhist
