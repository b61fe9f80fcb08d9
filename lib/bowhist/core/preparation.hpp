#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Rows of unit length in whole numbers: each value is the unit row's times `unit`, rounded. So
/// the square of a row's length, and with it every product of two rows, stays below 2^31 for up to
/// 2^24 values a row (by Cauchy and Schwarz), in any order of adding.
struct WholeRows {
    static constexpr int unit = 32'000;
    static constexpr std::size_t most_dimensions = std::size_t{1} << 24;

    std::size_t dimensions = 0;
    std::vector<std::int16_t> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const std::int16_t> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

/// A centered projection of WholeRows, in whole numbers: component c of a row is its product with
/// axis c, less offsets[c].
struct Projection {
    WholeRows axes;                    ///< one a component; zeros where there is nothing to project
    std::vector<std::int32_t> offsets; ///< the mean row's products with the axes

    bool operator==(const Projection &other) const {
        return axes.dimensions == other.axes.dimensions && axes.values == other.axes.values &&
               offsets == other.offsets;
    }
};

/// One step of `--prepare`.
struct PreparationStep {
    enum class Kind {
        root,     ///< signed square root of each value, then unit length
        whiten,   ///< principal components, each divided by its deviation
        position, ///< appends where the descriptor lies in its image: 2 numbers
        scale,    ///< appends the logarithm of its scale
        contrast, ///< appends the logarithm of its response
        mirror    ///< adds the descriptors of the mirrored image
    };

    Kind kind = Kind::root;
    std::size_t components = 0; ///< of whiten: how many are kept; 0: all
    double weight = 1;          ///< of what is appended, relative to the components' mean deviation

    /// Numbers that it appends to a row.
    std::size_t appended() const;
    bool operator==(const PreparationStep &) const = default;
};

/// Steps that change rows before words are found, in this order: root and whiten, then those that
/// append, then mirror. No step twice.
using PreparationSteps = std::vector<PreparationStep>;

/// "root,whiten:48,position:1.5,mirror". Empty text is no step.
/// @throws Error{Fault::usage} for unknown steps, steps out of order or named twice, a number that
///         makes no sense
PreparationSteps parse_preparation(std::string_view text);

/// The one way to write these steps: parse_preparation() of it gives the same ones.
std::string as_text(const PreparationSteps &steps);

/// Numbers that the steps append to a row, all together.
std::size_t appended_numbers(const PreparationSteps &steps);
/// Numbers in a row that the steps make of a descriptor.
std::size_t dimensions_after(const PreparationSteps &steps, std::size_t dimensions);
/// Rows that they make of one.
std::size_t rows_after(const PreparationSteps &steps);
bool has_step(const PreparationSteps &steps, PreparationStep::Kind kind);

/// The effect of mirroring an image on the 4 × 4 cells of (Σdx, Σ|dx|, Σdy, Σ|dy|) of its
/// descriptors.
enum class Mirroring {
    none,    ///< unknown
    columns, ///< of upright descriptors: cells of a row change places, Σdx its sign
    rows     ///< of turned ones, whose y axis is mirrored: rows change places, Σdy its sign
};
/// "none", "columns", "rows".
std::string_view name_of(Mirroring mirroring);

/// Steps with the numbers that they learned (encode/preparation.hpp). A value: equal ones make
/// equal rows.
struct Preparation {
    PreparationSteps steps = {};
    Mirroring mirroring = Mirroring::none;
    std::size_t dimensions = 0;         ///< of the descriptors that it takes
    std::vector<float> mean = {};       ///< of whiten: `dimensions` numbers; else empty
    std::vector<float> projection = {}; ///< of whiten: dimensions × components, row-major
    double deviation = 1;               ///< mean of the components': appended numbers take its unit

    /// Numbers in a row that it makes.
    std::size_t prepared_dimensions() const;
    bool operator==(const Preparation &) const = default;
};

/// Names what does not fit together in a preparation read from a file: its steps, dimensions and
/// numbers. Empty when it is whole.
std::optional<std::string> fault_of(const Preparation &preparation);

} // namespace bowhist
