#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/library/segments/segments.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// Reads the rows of `words`, `codes` and `thumbnails`. Each that is read is held against its
/// checksum, its model, and what the library holds of each image.
/// @throws Error{Fault::input} for a damaged row, or one that is missing
class DescriptionRows {
  public:
    explicit DescriptionRows(Catalogue &catalogue);

    /// REQUIRES: the library has words
    Library::Words words(RowId content);
    /// The same without places and mirrored words.
    std::vector<std::uint32_t> words_alone(RowId content);
    /// REQUIRES: the library has codes
    Library::Code code(RowId content);
    /// Empty if the image has none.
    std::string thumbnail(RowId content);

    /// Adds the columns as they are, as far as the library has them.
    void add_to(ContentRow &row, RowId content);

    /// Whether it holds where words lie.
    bool has_positions() const { return has_positions_; }

  private:
    void step_to_words(RowId content);
    void step_to_code(RowId content);
    std::vector<std::uint32_t> words_in(int column, RowId content) const;

    Catalogue &catalogue_;
    ComparedSizes sizes_;
    bool has_positions_, has_mirrored_;
    Statement words_, code_, thumbnail_;
};

} // namespace bowhist
