#include <bowhist/library/integrity.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/description_rows.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/groups.hpp>
#include <bowhist/library/segments/segment_builder.hpp>
#include <bowhist/library/segments/segments.hpp>
#include <bowhist/library/sqlite/database.hpp>
#include <bowhist/library/stored_words.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

std::uint64_t hash_of(std::uint32_t word, std::uint32_t count) {
    const std::array<std::uint32_t, 2> pair = {word, count};
    return XXH3_64bits(pair.data(), sizeof(pair));
}

/// Compares rows of descriptions with a segment, content by content.
class SegmentCheck {
  public:
    SegmentCheck(Database &database, SegmentRows &rows, const Segment &segment,
                 const Observer &observer)
        : rows_(rows), segment_(segment), observer_(observer),
          words_(database, "SELECT words FROM words WHERE content = ?1"),
          code_(database, "SELECT code FROM codes WHERE content = ?1") {}

    void check_words(std::size_t all, std::vector<std::string> &damages) {
        std::vector<std::uint64_t> sums(segment_.size());
        for (std::uint32_t word = 0; word < all; ++word) {
            observer_.stop_if_interrupted();
            const auto view = rows_.postings(segment_, word);
            if (!view) continue;
            for (const Posting &posting : view->decoded())
                sums[posting.image] += hash_of(word, posting.count);
        }
        for (std::size_t i = 0; i < segment_.size(); ++i)
            if (words_.with(segment_.content(i)).step()) {
                ImageWords expected = words_in(words_.bytes(0), all);
                if (expected.sum != sums[i] || expected.norm != segment_.word_norms[i])
                    damages.push_back(differs("words", segment_.content(i)));
            }
    }

    void check_codes(std::size_t dimensions, std::vector<std::string> &damages) {
        for (std::size_t first = 0; first < segment_.size(); first += code_block) {
            observer_.stop_if_interrupted();
            const std::string_view block = rows_.codes(segment_, first / code_block, dimensions);
            for (std::size_t i = first; i < std::min(first + code_block, segment_.size()); ++i) {
                if (!code_.with(segment_.content(i)).step()) continue;
                const std::string_view code = code_.bytes(0);
                if (code != code_in(block, i - first, dimensions) ||
                    squared_norm_of_code(code) != segment_.code_norms[i])
                    damages.push_back(differs("codes", segment_.content(i)));
            }
        }
    }

  private:
    struct ImageWords {
        std::uint64_t sum = 0; ///< of the hashes of words and their counts
        std::uint64_t norm = 0;
    };

    static ImageWords words_in(std::string_view bytes, std::size_t all) {
        ImageWords result;
        const auto words = read_words(bytes, all);
        if (!words) return result;
        for_each_count(*words, [&](std::uint32_t word, std::uint32_t count) {
            result.sum += hash_of(word, count);
            result.norm += squared_value(count);
        });
        return result;
    }

    static std::string differs(std::string_view table, RowId content) {
        return fmt::format("the index of search: content {} differs from its row of the table {}",
                           content, table);
    }

    SegmentRows &rows_;
    const Segment &segment_;
    const Observer &observer_;
    Statement words_, code_;
};

/// Every content that is described must be in one place.
void check_places(Database &database, SegmentRows &rows, const std::vector<Segment> &segments,
                  std::vector<std::string> &damages) {
    std::map<RowId, int> places;
    for (const Segment &segment : segments)
        for (std::size_t i = 0; i < segment.size(); ++i) ++places[segment.content(i)];
    for (const RowId content : rows.unindexed()) ++places[content];
    for (const auto &[content, count] : places)
        if (count > 1)
            damages.push_back(
                fmt::format("the index of search: content {} is there {} times", content, count));
    Statement described(database, "SELECT content FROM words UNION SELECT content FROM codes");
    while (described.step())
        if (!places.contains(described.number(0)))
            damages.push_back(
                fmt::format("the index of search: content {} is missing", described.number(0)));
}

/// Adds the differences of the index of search from the descriptions that it was made of. Reads
/// both.
/// @throws Error{Fault::interrupted}; Error{Fault::input} for a damaged index
void check_segments(Database &database, const Observer &observer,
                    std::vector<std::string> &damages) {
    SegmentRows rows(database);
    const ComparedSizes sizes = compared_sizes(database);
    const std::vector<Segment> segments = rows.segments();
    check_places(database, rows, segments, damages);
    for (const Segment &segment : segments) {
        SegmentCheck check(database, rows, segment, observer);
        if (sizes.words > 0) check.check_words(sizes.words, damages);
        if (sizes.dimensions > 0) check.check_codes(sizes.dimensions, damages);
    }
}

/// A table whose checksum stands behind the columns that it is over.
struct SummedTable {
    const char *name;
    const char *id;
    const char *columns;
};

constexpr std::array tables{
    SummedTable{"about", "rowid", "name, value"},
    SummedTable{"roots", "id", "path, excluded, hidden, place"},
    SummedTable{"folders", "id", "root, path"},
    SummedTable{"words", "content", "content, words, places, mirrored"},
    SummedTable{"codes", "content", "content, descriptors, code"},
    SummedTable{"thumbnails", "content", "content, jpeg"},
    SummedTable{"models", "rowid", "kind, fingerprint, recipe, size, model, record"},
    SummedTable{"segments", "id", "id, first, contents, word_norms, code_norms, levels"},
    SummedTable{"postings", "id", "id, postings"},
    SummedTable{"code_blocks", "id", "id, codes"},
    SummedTable{"unindexed", "content", "content"},
    SummedTable{"groups", "number", "number, name"},
    SummedTable{"members", "file", "file, number"}};

/// There where checks of copies were kept.
constexpr SummedTable compared{"compared", "rowid", "image, number, pixels, pairs, proposals"};

std::int64_t sum_of(const Statement &row, int first, int end) {
    RowSum sum;
    for (int column = first; column < end; ++column)
        if (row.is_null(column))
            sum.add(std::optional<std::int64_t>());
        else if (row.is_number(column))
            sum.add(row.number(column));
        else
            sum.add(row.bytes(column));
    return sum.value();
}

void check_rows(Database &database, const SummedTable &table, const Observer &observer,
                std::vector<std::string> &damages) {
    Statement rows(database, fmt::format("SELECT {}, {}, checksum FROM {}", table.id, table.columns,
                                         table.name));
    const int sum = rows.columns() - 1;
    while (rows.step()) {
        observer.stop_if_interrupted();
        if (sum_of(rows, 1, sum) != rows.number(sum))
            damages.push_back(fmt::format("row {} of the table {}", rows.number(0), table.name));
    }
}

/// Reads each row as other verbs do, which refuse what no run writes.
void check_values(Database &database, const Observer &observer) {
    Catalogue catalogue(database);
    for (const RootRow &root : catalogue.roots())
        catalogue.for_each_folder(root.id, [](RowId, std::string_view) {});
    Statement files(database, "SELECT id FROM files");
    while (files.step()) {
        observer.stop_if_interrupted();
        catalogue.file(files.number(0));
    }
    const bool has_words = !catalogue.models(false).empty() && compared_sizes(database).words > 0;
    const bool has_codes = compared_sizes(database).dimensions > 0;
    const ContentColumns columns(database);
    DescriptionRows descriptions(catalogue);
    Statement contents(database, fmt::format("SELECT {}, id FROM contents", columns.selected()));
    while (contents.step()) {
        observer.stop_if_interrupted();
        const RowId id = contents.number(ContentColumns::count);
        const auto row = columns.row(contents, 0);
        if (!row) catalogue.fail_damaged("contents", id);
        if (row->skipped) continue;
        if (has_words) descriptions.words(id);
        if (has_codes) descriptions.code(id);
        descriptions.thumbnail(id);
    }
    read_groups(catalogue);
    for (const char *name : {"run", "whole run", "updated", "resolution"})
        catalogue.number_about(name);
}

/// Damages of rows without their partner in another table, and the queries that count them.
constexpr std::array<std::pair<const char *, const char *>, 5> relations{{
    {"a file in no folder",
     "SELECT count(*) FROM files WHERE folder NOT IN (SELECT id FROM folders)"},
    {"a folder in no root",
     "SELECT count(*) FROM folders WHERE root NOT IN (SELECT id FROM roots)"},
    {"a file of a content that is not there",
     "SELECT count(*) FROM files WHERE content IS NOT NULL AND content NOT IN (SELECT id FROM "
     "contents)"},
    {"words without their model",
     "SELECT count(*) FROM words WHERE (SELECT count(*) FROM models WHERE kind = 'words') = 0"},
    {"a code without its model",
     "SELECT count(*) FROM codes WHERE (SELECT count(*) FROM models WHERE kind = 'code') = 0"},
}};

/// The descriptions of a content that is not skipped: the setting, and the table.
constexpr std::array<std::pair<const char *, const char *>, 3> descriptions{
    {{"words", "words"}, {"code", "codes"}, {"thumbnails", "thumbnails"}}};

void check_count(Database &database, const std::string &what, const std::string &sql,
                 std::vector<std::string> &damages) {
    if (const auto count = database.number(sql); count > 0)
        damages.push_back(fmt::format("{} times {}", count, what));
}

void check_relations(Database &database, std::vector<std::string> &damages) {
    for (const auto &[what, sql] : relations) check_count(database, what, sql, damages);
    // a blob, which LIKE does not match
    for (const auto &[setting, table] : descriptions)
        check_count(database, fmt::format("a content without its row of the table {}", table),
                    fmt::format("SELECT count(*) FROM contents WHERE skipped IS NULL AND (SELECT "
                                "CAST(value AS TEXT) FROM about WHERE name = 'holds') LIKE "
                                "'%{}%' AND id NOT IN (SELECT content FROM {})",
                                setting, table),
                    damages);
}

/// Adds what SQLite says about its pages, without "ok" and titles.
void add_lines(std::string_view text, std::vector<std::string> &damages) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line != "ok" && !line.starts_with("***")) damages.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

} // namespace

std::vector<std::string> damages_of(Database &database, const Observer &observer) {
    std::vector<std::string> damages;
    const auto guarded = [&](const char *what, const auto &check) {
        try {
            check();
        } catch (const Error &error) {
            if (error.fault == Fault::interrupted) throw;
            damages.push_back(fmt::format("{}: {}", what, error.what()));
        }
    };
    guarded("the file", [&] {
        Statement check(database, "PRAGMA integrity_check");
        while (check.step()) add_lines(check.bytes(0), damages);
    });
    for (const SummedTable &table : tables)
        guarded(table.name, [&] { check_rows(database, table, observer, damages); });
    const auto check_columns = [&](const char *name, const std::string &columns) {
        guarded(name, [&] {
            check_rows(database, {name, "id", columns.c_str()}, observer, damages);
        });
    };
    check_columns("files", FileColumns(database).summed());
    check_columns("contents", ContentColumns(database).summed());
    if (database.number("SELECT count(*) FROM sqlite_master WHERE name = 'compared'") > 0)
        guarded(compared.name, [&] { check_rows(database, compared, observer, damages); });
    if (damages.empty()) guarded("values", [&] { check_values(database, observer); });
    guarded("what belongs together", [&] { check_relations(database, damages); });
    guarded("the index of search", [&] { check_segments(database, observer, damages); });
    return damages;
}

} // namespace bowhist
