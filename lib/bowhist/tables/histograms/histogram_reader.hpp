#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// What the values of histograms are.
enum class HistogramContent {
    either, ///< nobody can tell: each row is zeros but for one 1, which normalising makes, too
    counts,
    normalized,
};

/// A file of histograms, read back: images.size() rows of `words` values.
struct HistogramTable {
    std::vector<std::string>
        images;                ///< path bytes; the row numbers where the format has none (.npy)
    std::size_t words = 0;     ///< k, at least 1
    std::vector<float> values; ///< from 0 to 4294967295, rounded to float32
    bool named = true;         ///< `images` are paths, no row numbers
    HistogramContent content = HistogramContent::either;
    std::string told_by;       ///< the file that tells `content`, as messages call it
    std::string fingerprint;   ///< of the vocabulary; empty where the file does not tell it
    std::string normalization; ///< "none", "l1" ...; empty where the file does not tell it
};

/// How large histograms are in memory, known before they are read: by headers, or about, by a
/// text's size and its first lines.
struct TableSize {
    std::uint64_t rows = 0;
    std::uint64_t values = 0; ///< of all rows
    std::uint64_t peak = 0;   ///< bytes that reading takes at most, the values' own included
};

/// Called before a file is read, with the size of it and all before it; may throw.
using TableCheck = std::function<void(const std::string &file, const TableSize &)>;

/// Reads .csv .npy .npz .jsonl as this library writes them; "-" is standard input, in any of these
/// formats.
/// @throws Error{Fault::input} saying what was expected and what was found, with the line or row. A
/// file without words (an empty .jsonl, too), negative values and ones beyond 4294967295 are
/// refused.
HistogramTable read_histograms(const std::filesystem::path &path);

/// The rows of several files, one after another; rows without a name are numbered through.
/// @throws what `check` throws; Error{Fault::input} as above, and when the files differ in their
/// words, their vocabulary
///         or how they were normalised
HistogramTable read_histograms(std::span<const std::filesystem::path> paths,
                               const TableCheck &check = {});

} // namespace bowhist
