// Checks a library's file before a statement reads it.
#include <bowhist/library/file/schema.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/sqlite/statement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

namespace bowhist {
namespace {

/// Statements by what they make: "TABLE words", "VIEW paths".
using Statements = std::map<std::string, std::string, std::less<>>;

/// A statement without comments, and with one space where it has several or a new line. Strings
/// stay as they are.
std::string plain(std::string_view sql) {
    std::string text;
    bool is_quoted = false;
    const auto is_tight = [](char letter) {
        return letter == '(' || letter == ')' || letter == ',' || letter == ';';
    };
    for (std::size_t i = 0; i < sql.size(); ++i) {
        const char letter = sql[i];
        if (letter == '\'') is_quoted = !is_quoted;
        const bool is_comment = !is_quoted && sql.substr(i).starts_with("--");
        if (is_comment) i = std::min(sql.find('\n', i), sql.size());
        const bool is_space = is_comment || std::isspace(static_cast<unsigned char>(letter)) != 0;
        if (!is_quoted && is_space) {
            if (!text.empty() && text.back() != ' ' && !is_tight(text.back())) text += ' ';
            continue;
        }
        if (!is_quoted && is_tight(letter) && !text.empty() && text.back() == ' ') text.pop_back();
        text += letter;
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

/// "TABLE words" of "CREATE TABLE words(...".
std::string made_by(std::string_view statement) {
    constexpr std::string_view front = "CREATE ";
    statement.remove_prefix(std::min(front.size(), statement.size()));
    const std::size_t name = statement.find(' ') + 1;
    return std::string(statement.substr(0, statement.find_first_of(" (", name)));
}

/// The statements of a version's schema, without the views for people, which the program never
/// reads.
Statements schema_of(std::int64_t version) {
    Statements all;
    std::string rest = plain(schema_text);
    if (version >= 3) rest += plain(skipped_indices);
    rest += plain(compared_table);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        std::string one = rest.substr(0, end);
        rest.erase(0, end + 1);
        all[made_by(one)] = std::move(one);
    }
    for (const AddedColumn &added : added_columns) {
        if (added.version <= version) continue;
        std::string &table = all.at(fmt::format("TABLE {}", added.table));
        const std::string column = fmt::format(",{}", added.column);
        table.erase(table.rfind(column), column.size());
    }
    all.erase("VIEW images");
    all.erase("VIEW gone");
    return all;
}

void require_schema(Database &database, std::int64_t version) {
    Statements missing = schema_of(version);
    Statement parts(database, "SELECT upper(type) || ' ' || name, sql FROM sqlite_master "
                              "WHERE sql IS NOT NULL");
    const auto fail = [&](std::string_view what) {
        database.fail_damaged(fmt::format("its {} is not as bowhist makes it", what));
    };
    while (parts.step()) {
        const auto own = missing.find(parts.bytes(0));
        if (own == missing.end()) continue;
        if (plain(parts.bytes(1)) != own->second) fail(own->first);
        missing.erase(own);
    }
    missing.erase("TABLE compared");
    if (!missing.empty()) fail(missing.begin()->first);
}

} // namespace

void require_library(Database &database) {
    const auto id = database.number("PRAGMA application_id");
    const auto version = database.number("PRAGMA user_version");
    if (id == 0 && database.number("SELECT count(*) FROM sqlite_master") == 0)
        throw Error(Fault::input, fmt::format("{}: empty, as a run leaves it that is stopped at "
                                              "once; make it: bowhist index -o photos.bow INPUT...",
                                              database.path()));
    if (id != library_id)
        throw Error(Fault::input,
                    fmt::format("{}: a database of another program, no library; make one: bowhist "
                                "index -o photos.bow INPUT...",
                                database.path()));
    if (version < oldest_library_version || version > library_version)
        throw Error(Fault::input,
                    fmt::format("{}: a library of version {}, and this bowhist knows versions {} "
                                "to {}; {}make it again: bowhist index -o NEW.bow INPUT...",
                                database.path(), version, oldest_library_version, library_version,
                                version > library_version ? "get a newer bowhist, or " : ""));
    require_schema(database, version);
}

} // namespace bowhist
