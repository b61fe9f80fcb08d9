#include <bowhist/index/dry_run.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/library/file/content_hash.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/schema.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <fmt/format.h>

#include <set>

namespace bowhist {
namespace {

/// Makes a copy of a table, its indices among it, which SQLite then takes for the table's name.
void shadow_table(Database &database, std::string_view table) {
    Statement parts(database, "SELECT type, sql FROM main.sqlite_master WHERE tbl_name = ?1 AND "
                              "(type = 'table' OR name IN ('files_by_content', 'files_gone')) "
                              "ORDER BY type DESC"); // the table first
    std::vector<std::string> commands;
    parts.with(table);
    while (parts.step()) {
        const std::string sql(parts.bytes(1));
        constexpr std::string_view table_front = "CREATE TABLE ";
        constexpr std::string_view index_front = "CREATE INDEX ";
        if (parts.bytes(0) == "table") {
            commands.push_back(fmt::format("CREATE TEMP TABLE {}", sql.substr(table_front.size())));
            commands.push_back(fmt::format("INSERT INTO temp.{0} SELECT * FROM main.{0}", table));
        } else {
            commands.push_back(fmt::format("CREATE INDEX temp.{}", sql.substr(index_front.size())));
        }
    }
    parts.reset();
    for (const AddedColumn &added : added_columns)
        if (added.table == table && added.version > database.number("PRAGMA user_version"))
            commands.push_back(
                fmt::format("ALTER TABLE temp.{} ADD COLUMN {}", table, added.column));
    for (const std::string &command : commands) database.run(command);
}

void shadow_paths(Database &database) {
    const std::string sql =
        database.text("SELECT sql FROM main.sqlite_master WHERE name = 'paths'");
    database.run("CREATE TEMP VIEW " + sql.substr(std::string_view("CREATE VIEW ").size()));
}

} // namespace

std::unique_ptr<Database> open_for_dry_run(const std::filesystem::path &library) {
    std::error_code unknown;
    if (!std::filesystem::exists(library, unknown)) {
        auto database = std::make_unique<Database>(":memory:", Database::Access::write);
        make_tables(*database);
        return database;
    }
    auto database = open_to_read(library);
    database->run("PRAGMA query_only=0");
    for (const char *table : {"about", "roots", "folders", "files"}) shadow_table(*database, table);
    shadow_paths(*database);
    return database;
}

std::optional<RowId> content_of(Catalogue &catalogue, const std::string &path) {
    try {
        const auto known = catalogue.content(content_hash(ImageBytes(path, {}).bytes()));
        return known ? known->id : 0;
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return std::nullopt;
    }
}

void find_contents_of_new(Catalogue &catalogue, std::int64_t run, Observer &observer) {
    Database &database = catalogue.database();
    const FilePlaces places(catalogue.roots());
    Statement fresh(database, "SELECT id FROM files WHERE gone IS NULL AND content IS NULL "
                              "AND size IN (SELECT size FROM files WHERE gone IS NOT NULL)");
    std::vector<RowId> found;
    while (fresh.step()) found.push_back(fresh.number(0));
    for (const RowId id : found) {
        observer.stop_if_interrupted();
        FileRow row = catalogue.file(id);
        if (row.run != run) continue;
        const auto content = content_of(catalogue, places.path(catalogue, row));
        if (content.value_or(0) != 0) row.content = content;
        catalogue.update(row);
    }
}

void DryReport::move(const std::string &from, const std::string &to) {
    moves_.emplace_back(from, to);
}

void DryReport::print(const std::function<void(std::string_view, const std::string &)> &report) {
    std::set<std::string_view> olds;
    std::set<std::string_view> news;
    for (const auto &[from, to] : moves_) {
        olds.insert(from);
        news.insert(to);
    }
    for (const auto &[what, path] : lines_) {
        if (what == "gone" && olds.contains(path)) continue;
        report(what == "new" && news.contains(path) ? "moved" : what, path);
    }
}

} // namespace bowhist
