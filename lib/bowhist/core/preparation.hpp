#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

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
