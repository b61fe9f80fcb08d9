#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// A file of histograms, read back: images.size() rows of `words` values.
struct HistogramTable {
    std::vector<std::string>
        images;                ///< path bytes; the row numbers where the format has none (.npy)
    std::size_t words = 0;     ///< k, at least 1
    std::vector<float> values; ///< from 0 to 4294967295, rounded to float32
    bool counts = false;       ///< every value is a whole number: nothing was normalised yet
    bool named = true;         ///< `images` are paths, no row numbers
};

/// Reads .csv .npy .npz .jsonl as this library writes them; "-" is standard input, in any of these
/// formats.
/// @throws Error{Fault::input} saying what was expected and what was found, with the line or row. A
/// file without words (an empty .jsonl, too), negative values and ones beyond 4294967295 are
/// refused.
HistogramTable read_histograms(const std::filesystem::path &path);

/// The rows of several files, one after another; rows without a name are numbered through.
/// @throws Error{Fault::input} as above, and when the files differ in their words, or some hold
///         counts and others normalised histograms
HistogramTable read_histograms(std::span<const std::filesystem::path> paths);

} // namespace bowhist
