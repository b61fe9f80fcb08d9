#pragma once

#include <bowhist/tables/descriptors/descriptor_collection.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>
#include <bowhist/tables/parts/part_file.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

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
