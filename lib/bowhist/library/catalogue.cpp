#include <bowhist/library/catalogue.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/row_sum.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

using namespace std::string_literals;

const std::string file_columns = "SELECT id, folder, name, size, modified, file, content, "
                                 "skipped, gone, run, checksum";

std::optional<Blob> blob(const std::optional<std::string> &bytes) {
    if (!bytes) return std::nullopt;
    return Blob{*bytes};
}

} // namespace

Catalogue::Catalogue(Database &database)
    : database_(database), columns_(database),
      about_(database, "SELECT value, checksum FROM about WHERE name = ?1"),
      set_about_(database, "INSERT OR REPLACE INTO about VALUES(?1, ?2, ?3)"),
      folder_(database, "SELECT id, checksum FROM folders WHERE root = ?1 AND path = ?2"),
      folder_row_(database, "SELECT root, path, checksum FROM folders WHERE id = ?1"),
      is_of_files_(database, "SELECT 1 FROM roots WHERE id = ?1 AND path = x''"),
      insert_folder_(database, "INSERT INTO folders VALUES(NULL, ?1, ?2, ?3)"),
      files_(database, file_columns + " FROM files WHERE folder = ?1 ORDER BY name"),
      file_(database, file_columns + " FROM files WHERE id = ?1"),
      insert_file_(database,
                   "INSERT INTO files VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"),
      update_file_(database,
                   "UPDATE files SET folder=?2, name=?3, size=?4, modified=?5, file=?6, content=?7,"
                   " skipped=?8, gone=?9, run=?10, checksum=?11 WHERE id=?1"),
      erase_file_(database, "DELETE FROM files WHERE id = ?1"),
      content_(database, fmt::format("SELECT {}, contents.id FROM contents WHERE hash = ?1",
                                     columns_.selected())),
      skipped_(database, "SELECT skipped IS NOT NULL FROM contents WHERE id = ?1"),
      insert_words_(database, "INSERT INTO words VALUES(?1, ?2, ?3, ?4, ?5)"),
      insert_code_(database, "INSERT INTO codes VALUES(?1, ?2, ?3, ?4)"),
      insert_thumbnail_(database, "INSERT INTO thumbnails VALUES(?1, ?2, ?3)"),
      insert_unindexed_(database, "INSERT INTO unindexed VALUES(?1, ?2)") {}

void Catalogue::fail_damaged(std::string_view table, RowId id) const {
    throw Error(Fault::input,
                fmt::format("{}: row {} of its table {} is damaged; see bowhist status "
                            "--integrity, and make the library again",
                            database_.path(), id, table));
}

std::optional<std::string> Catalogue::about(std::string_view name) {
    if (!about_.with(name).step()) return std::nullopt;
    std::string value(about_.bytes(0));
    if (about_.number(1) != RowSum::of(name, value)) fail_damaged("about", 0);
    about_.reset();
    return value;
}

std::int64_t Catalogue::number_about(std::string_view name) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto text = about(name);
    if (!text) return 0;
    const auto number = as_number<std::int64_t>(*text);
    if (!number || *number < 0 || *number > most) fail_damaged("about", 0);
    return *number;
}

void Catalogue::set_about(std::string_view name, std::string_view value) {
    set_about_.with(name, Blob{value}, RowSum::of(name, value)).run();
}

std::vector<StoredModel> Catalogue::models(bool whole) {
    Statement statement(database_, "SELECT kind, fingerprint, recipe, size, model, record, "
                                   "checksum, rowid FROM models ORDER BY kind");
    std::vector<StoredModel> all;
    while (statement.step()) {
        const auto bytes = [&](int column) { return statement.bytes(column); };
        const std::int64_t size = statement.number(3);
        const bool is_whole =
            statement.number(6) ==
                RowSum::of(bytes(0), bytes(1), bytes(2), size, bytes(4), bytes(5)) &&
            is_possible_model(bytes(0), size, bytes(4));
        if (!is_whole) fail_damaged("models", statement.number(7));
        all.push_back({.kind = std::string(bytes(0)),
                       .fingerprint = std::string(bytes(1)),
                       .recipe = std::string(bytes(2)),
                       .model = std::string(whole ? bytes(4) : ""),
                       .record = std::string(whole ? bytes(5) : ""),
                       .size = static_cast<std::size_t>(size)});
    }
    return all;
}

void Catalogue::put(const StoredModel &model) {
    Statement statement(database_, "INSERT OR REPLACE INTO models VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
                                   "?7)");
    statement
        .with(model.kind, model.fingerprint, model.recipe, model.size, Blob{model.model},
              Blob{model.record},
              RowSum::of(model.kind, model.fingerprint, model.recipe, model.size, model.model,
                         model.record))
        .run();
}

std::optional<Catalogue::Known> Catalogue::content(std::string_view hash) {
    if (!content_.with(Blob{hash}).step()) return std::nullopt;
    const RowId id = content_.number(ContentColumns::count);
    const std::optional<ContentRow> row = columns_.row(content_, 0);
    if (!row) fail_damaged("contents", id);
    content_.reset();
    return Known{id, row->skipped.has_value()};
}

bool Catalogue::is_skipped(RowId content) {
    const bool skipped = skipped_.with(content).step() && skipped_.number(0) != 0;
    skipped_.reset();
    return skipped;
}

Catalogue::ContentWriting::ContentWriting(Database &database)
    : insert(database, "INSERT INTO contents(hash, width, height, captured, skipped, frames, "
                       "color, orientation, metadata, checksum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
                       "?7, ?8, ?9, ?10)"),
      update(database, "UPDATE contents SET width=?2, height=?3, captured=?4, skipped=?5, "
                       "frames=?6, color=?7, orientation=?8, metadata=?9, checksum=?10 "
                       "WHERE id = ?1") {}

RowId Catalogue::put(const ContentRow &row) {
    const std::int64_t sum = columns_.sum(row);
    const auto write = [&](Statement &statement, const auto &first) {
        statement
            .with(first, row.width, row.height, row.captured, row.skipped, row.frames, row.color,
                  row.orientation, row.metadata, sum)
            .run();
    };
    if (!content_writing_) content_writing_.emplace(database_);
    RowId id = row.id;
    if (id == 0) {
        write(content_writing_->insert, Blob{row.hash});
        id = database_.last_row();
    } else {
        write(content_writing_->update, id);
    }
    put_descriptions(row, id);
    return id;
}

void Catalogue::put_descriptions(const ContentRow &row, RowId id) {
    if (row.words)
        insert_words_
            .with(id, Blob{*row.words}, blob(row.places), blob(row.mirrored),
                  RowSum::of(id, row.words, row.places, row.mirrored))
            .run();
    if (row.code)
        insert_code_
            .with(id, row.descriptors, Blob{*row.code}, RowSum::of(id, row.descriptors, row.code))
            .run();
    if (row.words || row.code) insert_unindexed_.with(id, RowSum::of(id)).run();
    if (row.thumbnail)
        insert_thumbnail_.with(id, Blob{*row.thumbnail}, RowSum::of(id, row.thumbnail)).run();
}

} // namespace bowhist
