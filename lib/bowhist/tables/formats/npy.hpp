#pragma once

#include <bowhist/io/input_file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// The header of a `.npy` file.
struct NpyHeader {
    std::string type; ///< numpy's `descr`: "<f4" is float32, "<u4" uint32, "<U7" text of 7 letters
    std::vector<std::uint64_t> shape; ///< () for a single value, (n,) for a row, (n, k) for a table
    bool fortran_order = false;       ///< column after column; neither written nor taken here
    std::uint64_t bytes = 0;          ///< of the header itself, where it was read
};

/// The size of every header that is written, so that a header can be replaced once the number of
/// rows is known.
inline constexpr std::size_t npy_header_bytes = 128;

/// The header's bytes.
std::string npy_header(std::string_view type, const std::vector<std::uint64_t> &shape);

/// The dictionary in the header; empty unless the text is a dictionary of exactly the keys descr
/// (text), fortran_order and shape.
std::optional<NpyHeader> parse_npy_dictionary(std::string_view text);

/// Reads a header of version 1.0, 2.0 or 3.0; `source` then stands before the first value.
NpyHeader read_npy_header(ByteSource &source);

/// Refuses arrays of Python objects, which are pickles, and ones with named fields.
void refuse_objects(const ByteSource &source, const NpyHeader &header);

/// The number of values that the shape promises. `source` stands before the first.
/// @throws Error unless they are in C order and `source` holds them, no more and no less
std::uint64_t npy_value_count(ByteSource &source, const NpyHeader &header,
                              std::uint64_t bytes_per_value);

/// "'<f4' of shape (3, 64)", for messages.
std::string description(const NpyHeader &header);

} // namespace bowhist
