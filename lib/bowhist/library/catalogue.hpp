#pragma once

#include <bowhist/core/codes.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/library/sqlite/database.hpp>
#include <bowhist/library/sqlite/statement.hpp>
#include <bowhist/pictures/header/image_traits.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

using RowId = std::int64_t;

/// The bytes of a file: a row of `contents` with the rows of its descriptions.
struct ContentRow {
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

/// A row of `roots`.
struct RootRow {
    RowId id = 0;
    std::string path; ///< bytes as given; empty: that of files which were named
    std::vector<std::string> excluded = {};
    bool hidden = false;
    std::string place = {}; ///< the absolute folder that it meant; of named files the working
                            ///< directory
};

/// A row of `files`.
struct FileRow {
    RowId id = 0;
    RowId folder = 0;
    std::string name; ///< bytes
    FileStamp stamp = {};
    std::int64_t file = 0; ///< of device and inode
    std::optional<RowId> content = {};
    std::optional<std::string> skipped = {};
    std::optional<std::int64_t> gone = {};
    std::int64_t run = 0;
    std::optional<std::int64_t> changed = {}; ///< ctime, nanoseconds since 1970; empty: not known
};

/// The columns of `files`, in a library of any version that this program reads.
class FileColumns {
  public:
    explicit FileColumns(Database &database);

    /// All, for a statement's first columns. Columns that the version lacks are NULL.
    std::string selected() const;
    static constexpr int count = 12; ///< of selected()

    /// The columns that the checksum is over, in its order.
    std::string summed() const;

    /// A statement's row whose first columns are selected(). Nothing where it differs from its
    /// checksum.
    std::optional<FileRow> row(const Statement &statement) const;

    /// The checksum.
    std::int64_t sum(const FileRow &row) const;

  private:
    bool has_changed_; ///< from version 3 on
};

/// Reads and writes the rows of a library. Each row that is read is held against its checksum.
/// @throws Error{Fault::input} for a damaged row, and as Statement
class Catalogue {
  public:
    explicit Catalogue(Database &database);

    // what holds for the whole
    std::optional<std::string> about(std::string_view name);
    /// A count or a time, from 0 to 2⁵³; 0 without one.
    std::int64_t number_about(std::string_view name);
    void set_about(std::string_view name, std::string_view value);

    /// @param whole  false: without their bytes, which are verified all the same
    std::vector<StoredModel> models(bool whole = true);
    void put(const StoredModel &model);

    std::vector<RootRow> roots();
    /// The root of that path, with these rules from now on.
    RootRow put_root(const RootRow &root);
    /// Gives the root with that id its new path and place. @throws Error{Fault::usage} where
    /// another has it
    void rename_root(const RootRow &root);

    /// The row of a folder, which may be new.
    RowId folder(RowId root, std::string_view path);
    RowId known_folder(RowId root, std::string_view path); ///< 0: it has no row
    /// Gives folders of a root new paths. @return their number
    std::size_t
    rename_folders(RowId root,
                   const std::function<std::optional<std::string>(std::string_view)> &new_path);
    struct Folder {
        RowId root = 0;
        std::string path; ///< below the root
    };
    Folder folder_row(RowId id);
    /// Holds a row against its checksum and its root: a path leaves no folder that was named.
    void verify_folder(RowId id, RowId root, std::string_view path, std::int64_t checksum);
    /// Calls `use` for each folder of a root.
    void for_each_folder(RowId root, const std::function<void(RowId, std::string_view)> &use);

    /// Files of a folder, by their names.
    std::vector<FileRow> files(RowId folder);
    FileRow file(RowId id);
    /// Reads the row of a statement whose first columns are FileColumns::selected().
    FileRow row_of_file(const Statement &statement) const;
    void insert(FileRow &row); ///< and sets its id
    void update(const FileRow &row);
    void erase_file(RowId id);
    /// Moves the row to its folder, unless that has a file of its name: it is then erased.
    void take(const FileRow &row);

    struct Known {
        RowId id = 0;
        std::optional<std::string> skipped = {}; ///< why it has no description
    };
    /// The content with that hash.
    std::optional<Known> content(std::string_view hash);
    /// Whether a content has no description, and why is known.
    bool is_skipped(RowId content);
    /// Writes the content and its descriptions. @return its id
    RowId put(const ContentRow &row);

    Database &database() { return database_; }
    [[noreturn]] void fail_damaged(std::string_view table, RowId id) const;

  private:
    void put_descriptions(const ContentRow &row, RowId id);

    /// Prepared when the first file is written: an older library, which is only read, lacks a
    /// column.
    struct FileWriting {
        explicit FileWriting(Database &database);
        Statement insert, update;
    };
    FileWriting &file_writing();

    Database &database_;
    ContentColumns columns_;
    FileColumns file_columns_;
    /// Prepared when the first content is written: an older library, which is only read, lacks
    /// its columns.
    std::optional<Statement> insert_content_;
    std::optional<FileWriting> file_writing_;
    Statement about_, set_about_;
    Statement folder_, folder_row_, is_of_files_, insert_folder_;
    Statement files_, file_, erase_file_;
    Statement content_, skipped_, insert_words_, insert_code_, insert_thumbnail_, insert_unindexed_;
};

} // namespace bowhist
