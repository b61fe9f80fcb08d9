#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// A file of histograms, read back: images.size() rows of `words` values.
struct HistogramTable {
    std::vector<std::string>
        images;            ///< path bytes; the row numbers where the format has none (.npy)
    std::size_t words = 0; ///< k
    std::vector<float> values;
    bool counts = false; ///< every value is a whole number: nothing was normalised yet
};

/// Reads .csv .npy .npz .jsonl as this library writes them.
/// @throws Error{Fault::input} saying what was expected and what was found, with the line or row.
HistogramTable read_histograms(const std::filesystem::path &path);

} // namespace bowhist
