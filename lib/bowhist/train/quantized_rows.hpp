#pragma once

#include <bowhist/core/descriptors.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Descriptors as integers, so small that float32 holds every sum of a squared distance exactly: it
/// is the same on any machine, in any order of adding. A start is drawn by such distances.
///
/// A power of two scales the longest descriptor to a length of about 1000 to 2047; then values are
/// rounded. So a squared distance is below 2^24, and descriptors some thousand times shorter than
/// the longest become equal.
class QuantizedRows {
  public:
    static constexpr std::size_t block = 16;   ///< rows side by side
    static constexpr std::size_t chunk = 1024; ///< rows that a thread takes at a time
    static constexpr std::size_t most_others = 8;
    static constexpr float above_all = 16'777'216; ///< 2^24

    explicit QuantizedRows(const Descriptors &descriptors);

    std::size_t size() const { return size_; }
    std::size_t dimensions() const { return dimensions_; }
    /// All padded rows: [block][dimension][row].
    std::span<const std::int16_t> values() const { return values_; }
    /// The sum of squares of each padded row.
    std::span<const float> squares() const { return squares_; }
    std::size_t chunks() const { return (size_ + chunk - 1) / chunk; }
    /// The rows with those that fill up the last chunk, which are zeros.
    std::size_t padded() const { return chunks() * chunk; }

    /// A few rows to compare all rows with. Fewer than most_others are filled up with the last.
    struct Others {
        Others(const QuantizedRows &rows, std::span<const std::size_t> numbers);

        std::vector<float> values; ///< [dimension][other], minus twice the value
        std::array<float, most_others> squares{};
    };

    /// Squared distances of the rows of a chunk: most_others × block floats a block.
    static constexpr std::size_t distances_of_chunk = most_others * chunk;
    using Gains = std::array<std::uint64_t, most_others>;

    /// @param nearest  each row's squared distance to the nearest of the rows so far
    /// @param distances  receives those of the chunk
    /// @return by how much each other would lower the sum of `nearest` over the chunk
    Gains compare(std::size_t chunk, const Others &others, const float *nearest,
                  float *distances) const;

    /// Lowers `nearest` to the distances to one of the others. @return its sum over the chunk
    static std::uint64_t lower(const float *distances, std::size_t other, float *nearest);

  private:
    const std::int16_t *block_at(std::size_t row) const {
        return values_.data() + row / block * block * dimensions_;
    }

    std::size_t size_;
    std::size_t dimensions_;
    std::vector<std::int16_t> values_;
    std::vector<float> squares_;
};

} // namespace bowhist
