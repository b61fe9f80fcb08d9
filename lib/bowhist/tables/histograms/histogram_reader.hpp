#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// The kind of values in histograms.
enum class HistogramContent {
    either, ///< unknown: in each row one value is 1 and the others are 0, normalized or not
    counts,
    normalized,
    codes, ///< no histograms: whole numbers from -127 to 127, as --encode vlad writes them
    rows,  ///< no histograms: rows of an encoding, any finite numbers
};

/// A file of histograms, read back: images.size() rows of `words` values.
struct HistogramTable {
    std::vector<std::string>
        images;                ///< path bytes; the row numbers where the format has none (.npy)
    std::size_t words = 0;     ///< k, at least 1
    std::vector<float> values; ///< of histograms from 0 to 4294967295, rounded to float32
    bool named = true;         ///< `images` are paths, no row numbers
    HistogramContent content = HistogramContent::either;
    std::string file;          ///< that decides `content`, as messages call it
    std::string fingerprint;   ///< of the vocabulary; empty where the file has none
    std::string normalization; ///< "none", "l1" ...; empty where the file has none
    std::string encoding;      ///< of rows and codes: "vlad 1x1,2x2"; empty where the file has none
    std::string preparation;   ///< its steps; empty where the file has none
};

/// How large histograms are in memory, known before they are read: exactly from headers, roughly
/// from the size and the first lines of a text.
struct TableSize {
    std::uint64_t rows = 0;
    std::uint64_t values = 0; ///< of all rows
    std::uint64_t peak = 0;   ///< upper bound on the bytes in use while reading, values included
};

/// Called before each file is read, with the size of that file and all before it; may throw.
using TableCheck = std::function<void(const std::string &file, const TableSize &)>;

/// Reads .csv .npy .npz .jsonl as this library writes them, codes and rows, too; "-" is standard
/// input, in any of these formats. Floats of .npy are histograms, and so is int8 without a number
/// below 0; other int8 are codes.
/// @throws Error{Fault::input} saying what was expected and what was found, with the line or row. A
/// file without words (an empty .jsonl, too), negative values and ones beyond 4294967295 are
/// refused.
HistogramTable read_histograms(const std::filesystem::path &path);

/// The rows of several files, one after another; rows without a name are numbered through.
/// @throws what `check` throws; Error{Fault::input} as above, and when the files differ in their
///         words, vocabulary, encoding, preparation or normalization
HistogramTable read_histograms(std::span<const std::filesystem::path> paths,
                               const TableCheck &check = {});

} // namespace bowhist
