#pragma once

#include <bowhist/core/shown_words.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Codes of images, row after row: each `dimensions` whole numbers from -127 to 127, of which the
/// largest magnitude is 127. An image without descriptors has zeros.
struct Codes {
    std::size_t dimensions = 0;
    std::vector<std::int8_t> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const std::int8_t> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

/// How a file was when it was read: a file with another stamp was changed.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< nanoseconds since 1970

    /// Whether there was a file; without one, both are 0.
    bool is_known() const { return size != 0 || modified != 0; }
    bool operator==(const FileStamp &) const = default;
};

/// Codes that are kept from run to run, each with its image.
struct StoredCodes {
    std::vector<std::string> images;       ///< path bytes
    std::vector<FileStamp> stamps;         ///< of each image
    Codes codes;                           ///< of each image
    ShownWords shown;                      ///< of the model, by each image
    std::vector<std::int32_t> groups = {}; ///< that a run found for each image, -1 of those
                                           ///< that a user placed; empty: unknown
};

} // namespace bowhist
