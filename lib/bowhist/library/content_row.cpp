#include <bowhist/library/content_row.hpp>

#include <bowhist/library/row_sum.hpp>

namespace bowhist {
namespace {

constexpr const char *oldest_columns = "hash, width, height, captured, skipped";
constexpr const char *traits = "frames, color, orientation, metadata";

/// "contents.hash, contents.width", of "hash, width".
std::string of_table(std::string columns) {
    for (std::size_t at = 0; at != columns.npos; at = columns.find(", ", at)) {
        if (at > 0) at += 2;
        columns.insert(at, "contents.");
    }
    return columns;
}

} // namespace

void ContentRow::take(const ImageTraits &said) {
    frames = said.frames;
    orientation = said.orientation;
    metadata = said.metadata;
    captured = said.captured;
}

ContentColumns::ContentColumns(Database &database)
    : has_traits_(database.number("PRAGMA user_version") >= 3) {}

std::string ContentColumns::selected() const {
    return of_table(oldest_columns) + ", " +
           (has_traits_ ? of_table(traits) : "NULL, NULL, NULL, NULL") + ", contents.checksum";
}

std::string ContentColumns::summed() const {
    return has_traits_ ? std::string(oldest_columns) + ", " + traits : oldest_columns;
}

std::optional<ContentRow> ContentColumns::row(const Statement &statement, int first) const {
    ContentRow row{.hash = std::string(statement.bytes(first)),
                   .width = static_cast<int>(statement.number(first + 1)),
                   .height = static_cast<int>(statement.number(first + 2)),
                   .captured = statement.optional_bytes(first + 3),
                   .skipped = statement.optional_bytes(first + 4),
                   .frames = statement.optional_number(first + 5),
                   .color = statement.optional_number(first + 6),
                   .orientation = statement.optional_number(first + 7),
                   .metadata = statement.optional_number(first + 8)};
    if (statement.number(first + count - 1) != sum(row)) return std::nullopt;
    return row;
}

std::int64_t ContentColumns::sum(const ContentRow &row) const {
    if (!has_traits_) return RowSum::of(row.hash, row.width, row.height, row.captured, row.skipped);
    return RowSum::of(row.hash, row.width, row.height, row.captured, row.skipped, row.frames,
                      row.color, row.orientation, row.metadata);
}

} // namespace bowhist
