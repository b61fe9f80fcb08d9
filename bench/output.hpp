#pragma once

#include <cstddef>
#include <cstdint>

namespace bowhist {

/// The result of a way of doing an operation, with the right value of each element.
///
/// All ways of an operation write into one output: what a way leaves unwritten still holds the
/// right answer of the way before it. So the output is poisoned first, and then compared whole.
class Output {
  public:
    /// Rows of all images, end to end.
    struct Shape {
        std::size_t rows = 0;
        std::size_t width = 0;
        std::size_t rows_a_image = 0;
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

    /// Puts a wrong value into each element of the area.
    virtual void poison(const Area &area) = 0;
    /// Elements that differ from the reference.
    virtual std::uint64_t mismatches() = 0;
};

} // namespace bowhist
