#include <bowhist/library/file/row_sum.hpp>

#include <bowhist/library/sqlite/statement.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace bowhist {
namespace {

void append_little_endian(std::string &row, std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte)
        row += static_cast<char>(static_cast<unsigned char>(number >> (8 * byte)));
}

XXH3_state_t *state_in(const std::shared_ptr<void> &state) {
    return static_cast<XXH3_state_t *>(state.get());
}

} // namespace

void RowSum::add(std::int64_t number) {
    row_ += 'i';
    append_little_endian(row_, static_cast<std::uint64_t>(number));
}

void RowSum::add(std::string_view bytes) {
    constexpr std::size_t large = 8192; // is not copied
    row_ += 'b';
    append_little_endian(row_, bytes.size());
    if (bytes.size() < large) {
        row_ += bytes;
        return;
    }
    hash_row();
    XXH3_64bits_update(state_in(state_), bytes.data(), bytes.size());
}

void RowSum::hash_row() {
    if (!state_) {
        state_.reset(XXH3_createState(),
                     [](void *state) { XXH3_freeState(static_cast<XXH3_state_t *>(state)); });
        if (!state_) throw std::bad_alloc();
        XXH3_64bits_reset(state_in(state_));
    }
    XXH3_64bits_update(state_in(state_), row_.data(), row_.size());
    row_.clear();
}

std::int64_t RowSum::value() {
    if (!state_) return static_cast<std::int64_t>(XXH3_64bits(row_.data(), row_.size()));
    hash_row();
    return static_cast<std::int64_t>(XXH3_64bits_digest(state_in(state_)));
}

namespace {

constexpr std::int64_t samples = 1000;

/// The tables that grow with the images that are described.
struct Description {
    std::string_view table;
    const char *key;
    const char *payload; ///< length() of a blob does not read it
};
constexpr std::array descriptions{
    Description{"words", "content",
                "length(words) + ifnull(length(places), 0) + ifnull(length(mirrored), 0)"},
    Description{"codes", "content", "length(code)"},
    Description{"thumbnails", "content", "length(jpeg)"}};

/// The tables of the index of search, which have few and large rows.
constexpr std::array indexes{Description{"postings", "id", "length(postings)"},
                             Description{"code_blocks", "id", "length(codes)"}};

bool is_description(std::string_view table) {
    return std::ranges::find(descriptions, table, &Description::table) != descriptions.end();
}

/// The bytes that a row takes: the part in a leaf, and the pages for the rest (SQLite's file
/// format, 1.6, "cell payload overflow pages"). A part of more than half a page has a leaf of its
/// own; a leaf with smaller parts has no room for the last, half a part on average.
std::int64_t bytes_of_row(std::int64_t payload, std::int64_t page) {
    constexpr std::int64_t row_front = 24; // of the cell and its columns, about
    const std::int64_t least = (page - 12) * 32 / 255 - 23;
    const std::int64_t most = page - 35;
    const std::int64_t whole = payload + row_front;
    const std::int64_t local = least + (whole - least) % (page - 4);
    const std::int64_t kept = whole <= most ? whole : local <= most ? local : least;
    const std::int64_t pages = (whole - kept + page - 5) / (page - 4);
    return (kept > page / 2 ? page : kept * page / (page - kept / 2)) + pages * page;
}

/// The bytes of a thousand rows, spread evenly.
std::int64_t sampled_bytes(Database &database, const Description &one, std::int64_t page) {
    const auto first = database.number(fmt::format("SELECT min({}) FROM {}", one.key, one.table));
    const auto last = database.number(fmt::format("SELECT max({}) FROM {}", one.key, one.table));
    Statement row(database, fmt::format("SELECT {0} FROM {1} WHERE {2} >= ?1 ORDER BY {2} LIMIT 1",
                                        one.payload, one.table, one.key));
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < samples; ++i)
        if (row.with(first + (last - first) * i / samples).step())
            sum += bytes_of_row(row.number(0), page);
    return sum;
}

/// The bytes of a table, estimated by all its rows.
std::int64_t estimated_bytes(Database &database, const Description &one, std::int64_t page) {
    Statement row(database, fmt::format("SELECT {} FROM {}", one.payload, one.table));
    std::int64_t sum = 0;
    while (row.step()) sum += bytes_of_row(row.number(0), page);
    return page + sum;
}

std::int64_t exact_bytes(Database &database, std::string_view name) {
    Statement bytes(database,
                    "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name = ?1");
    return bytes.with(name).step() ? bytes.number(0) : 0;
}

/// Pages that hold rows.
std::int64_t used_bytes(Database &database, std::int64_t page) {
    const std::int64_t pages = database.number("PRAGMA page_count");
    const std::int64_t maps = 1 + pages / (page / 5 + 1); // of auto_vacuum
    return (pages - maps - database.number("PRAGMA freelist_count")) * page;
}

} // namespace

std::map<std::string, std::uint64_t> bytes_by_table(Database &database, std::uint64_t most_exact) {
    const std::int64_t page = database.number("PRAGMA page_size");
    const auto size = static_cast<std::uint64_t>(database.number("PRAGMA page_count") * page);
    const bool exact = size <= most_exact;
    std::map<std::string, std::uint64_t> bytes;
    std::int64_t rest = used_bytes(database, page) - exact_bytes(database, "sqlite_schema");
    Statement parts(database, "SELECT name, tbl_name FROM sqlite_master WHERE rootpage > 0");
    while (parts.step()) {
        const std::string table(parts.bytes(1));
        if (!exact && is_description(table)) continue;
        const auto index = std::ranges::find(indexes, table, &Description::table);
        const std::int64_t part = exact || index == indexes.end()
                                      ? exact_bytes(database, parts.bytes(0))
                                      : estimated_bytes(database, *index, page);
        bytes[table] += static_cast<std::uint64_t>(part);
        rest -= part;
    }
    if (exact) return bytes;
    std::array<double, descriptions.size()> weights{};
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<double>(page + sampled_bytes(database, descriptions[i], page));
    const double all = std::reduce(weights.begin(), weights.end());
    for (std::size_t i = 0; i < weights.size(); ++i)
        bytes[std::string(descriptions[i].table)] = static_cast<std::uint64_t>(
            static_cast<double>(std::max<std::int64_t>(rest, 0)) * weights[i] / all);
    return bytes;
}

} // namespace bowhist
