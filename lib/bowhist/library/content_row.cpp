#include <bowhist/library/content_row.hpp>

#include <bowhist/library/row_sum.hpp>

#include <limits>
#include <xxhash.h>

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

bool is_possible(const ContentRow &row) {
    const auto is_within = [](const std::optional<std::int64_t> &number, std::int64_t least,
                              std::int64_t most) {
        return !number || (*number >= least && *number <= most);
    };
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const int least_side = row.skipped ? 0 : 1;
    return row.hash.size() == sizeof(XXH128_hash_t) && row.width >= least_side &&
           row.height >= least_side && is_within(row.frames, 0, most) &&
           is_within(row.color, 0, most) && is_within(row.orientation, 0, 8) &&
           is_within(row.metadata, 0, 63);
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
    const std::int64_t width = statement.number(first + 1), height = statement.number(first + 2);
    ContentRow row{.hash = std::string(statement.bytes(first)),
                   .width = static_cast<int>(width),
                   .height = static_cast<int>(height),
                   .captured = statement.optional_bytes(first + 3),
                   .skipped = statement.optional_bytes(first + 4),
                   .frames = statement.optional_number(first + 5),
                   .color = statement.optional_number(first + 6),
                   .orientation = statement.optional_number(first + 7),
                   .metadata = statement.optional_number(first + 8)};
    const bool is_whole = row.width == width && row.height == height &&
                          statement.number(first + count - 1) == sum(row) && is_possible(row);
    if (!is_whole) return std::nullopt;
    return row;
}

std::int64_t ContentColumns::sum(const ContentRow &row) const {
    if (!has_traits_) return RowSum::of(row.hash, row.width, row.height, row.captured, row.skipped);
    return RowSum::of(row.hash, row.width, row.height, row.captured, row.skipped, row.frames,
                      row.color, row.orientation, row.metadata);
}

} // namespace bowhist
