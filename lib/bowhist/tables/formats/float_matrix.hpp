#pragma once

#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/npy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// Rows of `columns` floats, as a file holds them.
struct FloatMatrix {
    std::size_t columns = 0;
    std::vector<float> values;

    std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

/// float_matrix.cpp describes the formats. All rows are read; a file may hold 0.
/// @throws Error of the file's fault, saying what was expected and what was found
FloatMatrix read_npy_matrix(ByteSource &file);
/// Reads what follows the header.
FloatMatrix read_npy_values(ByteSource &file, const NpyHeader &header);
FloatMatrix read_fvecs_matrix(InputFile &file);
FloatMatrix read_fbin_matrix(InputFile &file);

/// The beginning of an .fbin: rows, columns.
std::string fbin_header(std::uint64_t rows, std::uint64_t columns);
/// Reads the header; `file` then stands before the first value. @throws Error of the file's fault
/// when the file has another size than the header promises
std::array<std::uint64_t, 2> read_fbin_header(InputFile &file);

/// The first float matrix (CV_32F, one channel) in a file of OpenCV's cv::FileStorage: .yml, .yaml
/// or .xml. Its values stand there as numbers; base64 is refused.
/// @throws Error of the file's fault, saying which matrices were found instead
FloatMatrix read_opencv_matrix(InputFile &file);

/// Refuses NaN and infinity, with their row. The matrix begins at row `first` of the source.
void require_finite(const ByteSource &source, const FloatMatrix &matrix, std::uint64_t first = 0);

} // namespace bowhist
