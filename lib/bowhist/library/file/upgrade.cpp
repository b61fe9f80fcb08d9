#include <bowhist/library/file/upgrade.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/file/schema.hpp>
#include <bowhist/library/file/transaction.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/pictures/chroma_beyond_tone.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

constexpr const char *unread_headers = "unread headers";
constexpr std::size_t rows_together = 512;

/// A row whose color is computed from its thumbnail.
struct ColoredRow {
    RowId id = 0;
    std::optional<ContentRow> row; ///< empty where it is damaged
    std::string thumbnail;         ///< empty if it has none, or a damaged one
};

/// The next rows behind `last`.
std::vector<ColoredRow> next_rows(Statement &statement, const ContentColumns &columns, RowId last) {
    constexpr int thumbnail = 1 + ContentColumns::count;
    std::vector<ColoredRow> rows;
    statement.with(last, rows_together);
    while (statement.step()) {
        ColoredRow next{statement.number(0), columns.row(statement, 1), {}};
        next.thumbnail = statement.optional_bytes(thumbnail).value_or("");
        if (statement.optional_number(thumbnail + 1) != RowSum::of(next.id, next.thumbnail))
            next.thumbnail.clear();
        rows.push_back(std::move(next));
    }
    return rows;
}

/// Gives rows of files the checksum of version 3, which is also over when they changed last.
/// @param before  the columns of version 2
void sum_files(Database &database, const FileColumns &before, Statement &files) {
    const FileColumns after(database);
    Statement update(database, "UPDATE files SET checksum=?2 WHERE id=?1");
    while (files.step())
        if (const auto row = before.row(files)) update.with(row->id, after.sum(*row)).run();
}

/// Version 3: what is known of each content beyond its size, when each file changed last, and
/// indices of what is skipped. A damaged row keeps a checksum that shows it.
void add_traits(Database &database, const Observer *observer) {
    const ContentColumns before(database);
    const FileColumns files_before(database);
    Statement files(database, fmt::format("SELECT {} FROM files", files_before.selected()));
    Statement select(database,
                     fmt::format("SELECT contents.id, {}, thumbnails.jpeg, thumbnails.checksum "
                                 "FROM contents LEFT JOIN thumbnails ON thumbnails.content = "
                                 "contents.id WHERE contents.id > ?1 ORDER BY contents.id LIMIT ?2",
                                 before.selected()));
    for (const AddedColumn &added : added_columns)
        if (added.version == 3)
            database.run(fmt::format("ALTER TABLE {} ADD COLUMN {}", added.table, added.column));
    database.run(skipped_indices);
    database.run("PRAGMA user_version=3");
    const ContentColumns after(database);
    Statement update(database, "UPDATE contents SET color=?2, checksum=?3 WHERE id=?1");
    for (RowId last = 0;;) {
        std::vector<ColoredRow> rows = next_rows(select, before, last);
        if (rows.empty()) break;
        last = rows.back().id;
        if (observer != nullptr) observer->stop_if_interrupted();
        tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
            if (rows[i].row && !rows[i].thumbnail.empty())
                rows[i].row->color = chroma_beyond_tone(rows[i].thumbnail);
        });
        for (const ColoredRow &one : rows)
            if (one.row) update.with(one.id, one.row->color, after.sum(*one.row)).run();
    }
    sum_files(database, files_before, files);
    Catalogue catalogue(database);
    note_unread_headers(catalogue);
}

/// How a version becomes the next one.
struct Step {
    std::int64_t from; ///< user_version, which `run` raises by one
    void (*run)(Database &database, const Observer *observer);
};
constexpr std::array steps{Step{oldest_library_version, add_traits}};
static_assert(oldest_library_version + static_cast<std::int64_t>(steps.size()) == library_version);

/// A content without its traits, and a file that has it.
struct UnreadFile {
    RowId content = 0;
    std::string path; ///< as it is opened from here
    FileStamp stamp = {};
    std::optional<ImageTraits> traits = {};

    void read();
};

void UnreadFile::read() {
    try {
        auto [said, read_stamp] = read_image_traits(path);
        if (read_stamp == stamp) traits = std::move(said);
    } catch (const Error &error) { // it stays unread
        if (error.fault != Fault::input) throw;
    }
}

/// Each content once for each of its files.
std::vector<UnreadFile> unread_files(Catalogue &catalogue) {
    const FilePlaces places(catalogue.roots());
    std::vector<UnreadFile> files;
    Statement statement(catalogue.database(),
                        "SELECT contents.id, files.id FROM contents JOIN files ON files.content = "
                        "contents.id WHERE contents.frames IS NULL AND contents.skipped IS NULL "
                        "AND files.gone IS NULL ORDER BY files.id");
    while (statement.step()) {
        const FileRow file = catalogue.file(statement.number(1));
        files.push_back({.content = statement.number(0),
                         .path = places.path(catalogue, file),
                         .stamp = file.stamp});
    }
    return files;
}

/// Writes what was read. A damaged row stays as it is.
void write_traits(Database &database, const UnreadFile &file) {
    const ContentColumns columns(database);
    Statement select(database,
                     fmt::format("SELECT {} FROM contents WHERE id = ?1", columns.selected()));
    std::optional<ContentRow> row;
    if (select.with(file.content).step()) row = columns.row(select, 0);
    if (!row) return;
    select.reset();
    row->take(*file.traits);
    Statement(database, "UPDATE contents SET frames=?2, orientation=?3, metadata=?4, captured=?5, "
                        "checksum=?6 WHERE id=?1")
        .with(file.content, row->frames, row->orientation, row->metadata, row->captured,
              columns.sum(*row))
        .run();
}

} // namespace

void upgrade(Database &database, const Observer *observer) {
    const std::int64_t version = database.number("PRAGMA user_version");
    if (version == library_version) return;
    Transaction transaction(database);
    for (const Step &step : steps)
        if (step.from >= version) step.run(database, observer);
    transaction.commit();
}

void note_unread_headers(Catalogue &catalogue) {
    catalogue.set_about(unread_headers, "1");
}

void read_headers_after_upgrade(Catalogue &catalogue, Observer &observer) {
    Database &database = catalogue.database();
    if (!catalogue.about(unread_headers)) return;
    std::vector<UnreadFile> files = unread_files(catalogue);
    Transaction transaction(database);
    for (std::size_t first = 0; first < files.size(); first += rows_together) {
        observer.stop_if_interrupted();
        const std::size_t end = std::min(files.size(), first + rows_together);
        tbb::parallel_for(first, end, [&](std::size_t i) { files[i].read(); });
        for (std::size_t i = first; i < end; ++i)
            if (files[i].traits) write_traits(database, files[i]);
        transaction.renew();
        observer.progress("headers", end, files.size());
    }
    // a file that is gone may be back
    if (database.number("SELECT count(*) FROM contents WHERE frames IS NULL AND skipped IS NULL") ==
        0)
        database.run(fmt::format("DELETE FROM about WHERE name = '{}'", unread_headers));
    transaction.commit();
}

} // namespace bowhist
