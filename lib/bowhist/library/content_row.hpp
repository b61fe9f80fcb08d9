#pragma once

#include <bowhist/library/sqlite/database.hpp>
#include <bowhist/library/sqlite/statement.hpp>
#include <bowhist/pictures/header/image_traits.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace bowhist {

using RowId = std::int64_t;

/// The bytes of a file: a row of `contents` with the rows of its descriptions.
struct ContentRow {
    RowId id = 0;     ///< 0: a new row
    std::string hash; ///< 16 bytes
    int width = 0;
    int height = 0;
    std::optional<std::string> captured = {};
    std::optional<std::string> skipped = {};
    // of image_traits.hpp and chroma_beyond_tone.hpp; without a value where they are not known
    std::optional<std::int64_t> frames = {};
    std::optional<std::int64_t> color = {};
    std::optional<std::int64_t> orientation = {};
    std::optional<std::int64_t> metadata = {};
    // descriptions
    std::optional<std::string> words = {};
    std::optional<std::string> places = {};
    std::optional<std::string> mirrored = {};
    std::uint32_t descriptors = 0; ///< that the code was made of
    std::optional<std::string> code = {};
    std::optional<std::string> thumbnail = {};

    void take(const ImageTraits &traits);
};

/// The columns of `contents` but its id, in a library of any version that this program reads.
class ContentColumns {
  public:
    explicit ContentColumns(Database &database);

    /// Nine columns, then the checksum. Columns that the version lacks are NULL.
    std::string selected() const;
    static constexpr int count = 10; ///< of selected()

    /// The columns that the checksum is over, in its order.
    std::string summed() const;

    /// A statement's row whose columns from `first` on are selected(), without its id and
    /// descriptions. Nothing where it differs from its checksum.
    std::optional<ContentRow> row(const Statement &statement, int first) const;

    /// The checksum.
    std::int64_t sum(const ContentRow &row) const;

  private:
    bool has_traits_; ///< from version 3 on
};

} // namespace bowhist
