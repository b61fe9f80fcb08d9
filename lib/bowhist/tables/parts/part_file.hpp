#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/byte_hash.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/descriptors/descriptor_collection.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Writes a part: a head, rows and an end, each of any bytes; part_file.cpp describes the format.
/// The file appears whole or not at all.
///
/// Protocol: add*, then finish. @throws Error{Fault::output}
class PartWriter {
  public:
    /// @param head  which part of what this is
    PartWriter(const std::filesystem::path &path, std::string_view head);

    void add(std::string_view row);
    void finish(std::string_view end);

  private:
    void frame(char kind, std::string_view bytes);
    void write(std::string_view bytes);

    AtomicFile file_;
    ByteHash hash_;
};

/// Reads a part.
///
/// Protocol: next until it returns false; then end. @throws Error{Fault::input} for a file that is
/// no part, or a damaged one; the last call of next finds all damage.
class PartReader {
  public:
    explicit PartReader(const std::filesystem::path &path);

    const std::string &head() const { return head_; }
    /// False behind the last row, when the whole file is known to be as it was written.
    bool next(std::string &row);
    const std::string &end() const { return end_; }

    const InputFile &file() const { return file_; }

  private:
    char frame(std::string &bytes);
    void read(char *into, std::size_t size);
    [[noreturn]] void refuse() const;

    InputFile file_;
    ByteHash hash_;
    std::string head_;
    std::string end_;
};

/// Whether the file begins as a part does. False where it cannot be read.
bool is_part(const std::filesystem::path &path);

/// Histograms as rows of a part. Their finish() is the part's, which the caller calls.
/// @param part  outlives the writer
std::unique_ptr<HistogramWriter> histograms_into(PartWriter &part);
/// Rows of any encoding. @param info  of the rows
std::unique_ptr<RowWriter> rows_into(PartWriter &part, const RowFileInfo &info);

/// The descriptors of an image and what made them.
std::string part_row(const Descriptors &descriptors, const DescriptorSidecar &image);

// Readers of these rows. @param file  that errors name
// @throws Error{Fault::input} for other bytes

/// @param words  k
Histogram histogram_in(std::string_view row, std::size_t words, const InputFile &file);

/// A row with its own memory.
struct StoredRow {
    std::string image;
    std::uint32_t descriptors = 0;
    std::vector<std::int8_t> code;
    std::vector<float> row;
};
StoredRow row_in(std::string_view row, const RowFileInfo &info, const InputFile &file);

struct StoredDescriptors {
    Descriptors descriptors;
    DescriptorSidecar image;
};
StoredDescriptors descriptors_in(std::string_view row, const InputFile &file);

std::vector<std::int32_t> words_in(std::string_view row, const InputFile &file);

} // namespace bowhist
