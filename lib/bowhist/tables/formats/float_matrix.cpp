// Rows of floats in three formats, all little-endian:
//
//     .npy    numpy's (npy.cpp): two-dimensional, float32, C order
//     .fvecs  each row: int32 D, then D float32; D the same in all rows
//     .fbin   uint32 rows, uint32 D, then rows·D float32, row by row; exactly 8 + 4·rows·D bytes.
//             The .fbin of big-ann-benchmarks, the .bin of DiskANN, and bowhist's c.bin.
//
// No header is believed before it agrees with the file's size.

#include <bowhist/tables/formats/float_matrix.hpp>

#include <bowhist/io/atomic_file.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace bowhist {

namespace {

/// To be called before anything is allocated for the rows.
void require_size(const ByteSource &source, std::uint64_t rows, std::uint64_t columns) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max(); // words are int32
    if (rows > most || columns > most || (columns == 0 && rows > 0))
        source.fail("expected at most {} rows of 1 to {} floats, found {} of {}", most, most, rows,
                    columns);
}

constexpr std::uint64_t usual_columns = 1 << 16; // files of other kinds promise more

/// How many of `rows` rows `bytes` hold, and what to do; empty where the header makes no sense.
std::optional<std::string> rows_there(std::uint64_t bytes, std::uint64_t rows,
                                      std::uint64_t columns) {
    const std::uint64_t row = columns * sizeof(float);
    if (columns == 0 || columns > usual_columns || bytes < row) return std::nullopt;
    const std::uint64_t whole = bytes / row;
    if (whole >= rows)
        return fmt::format("{} bytes follow the last row: get the file again, or write the number "
                           "of its rows into its first 4 bytes",
                           bytes - rows * row);
    if (bytes % row == 0)
        return fmt::format("it holds {} whole rows, the beginning of a larger file: make its first "
                           "4 bytes say so, numpy.memmap(f, '<u4', 'r+')[0] = {}",
                           whole, whole);
    return fmt::format("it holds {} whole rows and {} bytes of the next, so it is cut off: get the "
                       "file again",
                       whole, bytes % row);
}

/// ": it holds 7 whole rows and 12 bytes of the next ..." for a file that may have been cut.
std::string whole_rows(const InputFile &file, std::uint64_t row_bytes) {
    if (row_bytes <= sizeof(std::int32_t) || row_bytes > usual_columns * sizeof(float)) return {};
    const std::uint64_t whole = file.size() / row_bytes;
    if (whole == 0) return {};
    return fmt::format(": it holds {} whole rows and {} bytes of the next, so it is cut off: get "
                       "it again, or keep the whole rows, truncate -s {} FILE",
                       whole, file.size() % row_bytes, whole * row_bytes);
}

} // namespace

FloatMatrix read_npy_matrix(ByteSource &file) {
    return read_npy_values(file, read_npy_header(file));
}

FloatMatrix read_npy_values(ByteSource &file, const NpyHeader &header) {
    refuse_objects(file, header);
    if (header.type != "<f4" || header.shape.size() != 2 || header.fortran_order)
        file.fail("expected a table of float32 ('<f4') in C order, found {}{}; in Python, save {}",
                  description(header), header.fortran_order ? " in Fortran order" : "",
                  header.shape.size() == 2 ? "numpy.ascontiguousarray(x, '<f4')"
                                           : "an array of two axes, a row for each vector");
    const std::uint64_t count = npy_value_count(file, header, sizeof(float));
    require_size(file, header.shape[0], header.shape[1]);
    return {header.shape[1], read_values<float>(file, count)};
}

FloatMatrix read_fvecs_matrix(InputFile &file) {
    FloatMatrix matrix;
    if (file.size() == 0) return matrix;
    if (file.size() < sizeof(std::int32_t)) file.fail("is no .fvecs file: too short for a row");
    const auto columns = read_value<std::int32_t>(file);
    const std::uint64_t row_bytes = sizeof(columns) + sizeof(float) * std::uint64_t(columns);
    if (columns < 1 || file.size() % row_bytes != 0)
        file.fail("its first row promises {} floats; expected rows of int32 D and D float32 in all "
                  "of its {} bytes{}",
                  columns, file.size(), whole_rows(file, row_bytes));
    matrix.columns = static_cast<std::size_t>(columns);
    const std::uint64_t rows = file.size() / row_bytes;
    require_size(file, rows, matrix.columns);
    matrix.values = allocate<std::vector<float>>(file, rows * matrix.columns);
    for (std::uint64_t row = 0; row < rows; ++row) {
        const auto found = row == 0 ? columns : read_value<std::int32_t>(file);
        if (found != columns)
            file.fail("row {} has {} floats, the rows before have {}", row, found, columns);
        const std::span values(matrix.values);
        file.read(std::as_writable_bytes(values.subspan(row * matrix.columns, matrix.columns)));
    }
    return matrix;
}

std::string fbin_header(std::uint64_t rows, std::uint64_t columns) {
    const std::array header{static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)};
    return std::string(bytes_of(header));
}

std::array<std::uint64_t, 2> read_fbin_header(InputFile &file) {
    constexpr std::string_view expected = "expected uint32 rows, uint32 D, then rows·D float32, "
                                          "row by row, little-endian";
    if (file.size() < 2 * sizeof(std::uint32_t))
        file.fail("{}; found {} bytes in all", expected, file.size());
    const std::uint64_t rows = read_value<std::uint32_t>(file);
    const std::uint64_t columns = read_value<std::uint32_t>(file);
    // rows·columns fits in 64 bits, its bytes need not
    if (rows * columns != file.remaining() / sizeof(float) || file.remaining() % sizeof(float) != 0)
        file.fail("its header promises {} rows of {} floats, 8 + 4·{}·{} bytes, but it has {}; {}",
                  rows, columns, rows, columns, file.size(),
                  rows_there(file.remaining(), rows, columns).value_or(std::string(expected)));
    require_size(file, rows, columns);
    return {rows, columns};
}

FloatMatrix read_fbin_matrix(InputFile &file) {
    const auto [rows, columns] = read_fbin_header(file);
    return {columns, read_values<float>(file, rows * columns)};
}

void require_finite(const ByteSource &source, const FloatMatrix &matrix, std::uint64_t first) {
    for (std::size_t i = 0; i < matrix.values.size(); ++i) {
        if (std::isfinite(matrix.values[i])) continue;
        source.fail("row {} holds {}; expected finite numbers (rows count from 0)",
                    first + i / matrix.columns, std::isnan(matrix.values[i]) ? "NaN" : "infinity");
    }
}

} // namespace bowhist
