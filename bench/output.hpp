#pragma once

#include <cstddef>
#include <cstdint>

namespace bowhist {

/// What a way of doing an operation leaves behind, and what it must be, element by element.
///
/// All ways of an operation write into one output: what a way leaves unwritten still holds the
/// right answer of the way before it. So each is poisoned first, and then compared whole.
class Output {
  public:
    /// Rows of all pictures, end to end.
    struct Shape {
        std::size_t rows = 0;
        std::size_t width = 0;
        std::size_t rows_a_picture = 0;
    };
    /// Some columns of some rows.
    struct Area {
        std::size_t first_row = 0;
        std::size_t rows = 0;
        std::size_t first_column = 0;
        std::size_t columns = 0;
    };

    Output() = default;
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    virtual ~Output() = default;

    virtual Shape shape() const = 0;
    Area everything() const { return {0, shape().rows, 0, shape().width}; }

    /// Puts into each element of the area what no right result has there.
    virtual void poison(const Area &area) = 0;
    /// Of all elements, those that are not the reference's.
    virtual std::uint64_t mismatches() = 0;
};

} // namespace bowhist
