#include <bowhist/library/sqlite/statement.hpp>

#include <bowhist/library/sqlite/functions.hpp>

#include <cerrno>

namespace bowhist {

Statement::Statement(Database &database, const std::string &sql) : database_(database) {
    check(sqlite().prepare_v2(database.handle_, sql.c_str(), static_cast<int>(sql.size()), &handle_,
                              nullptr));
}

Statement::~Statement() {
    sqlite().finalize(handle_);
}

bool Statement::step() {
    errno = 0; // Database::fail() tells by it what SQLite calls damage
    const int code = sqlite().step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail();
    return false;
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() {
    sqlite().reset(handle_); // repeats the error of the step before, which was thrown
}

std::int64_t Statement::number(int column) const {
    require(is_number(column), "another value where a number belongs");
    return sqlite().column_int64(handle_, column);
}

std::string_view Statement::bytes(int column) const {
    const int kind = sqlite().column_type(handle_, column);
    require(kind == SQLITE_TEXT || kind == SQLITE_BLOB, "another value where bytes belong");
    const void *const first = sqlite().column_blob(handle_, column);
    const int size = sqlite().column_bytes(handle_, column);
    return first == nullptr
               ? std::string_view()
               : std::string_view(static_cast<const char *>(first), static_cast<std::size_t>(size));
}

bool Statement::is_null(int column) const {
    return sqlite().column_type(handle_, column) == SQLITE_NULL;
}

bool Statement::is_number(int column) const {
    return sqlite().column_type(handle_, column) == SQLITE_INTEGER;
}

int Statement::columns() const {
    return sqlite().column_count(handle_);
}

std::optional<std::int64_t> Statement::optional_number(int column) const {
    if (is_null(column)) return std::nullopt;
    return number(column);
}

std::optional<std::string> Statement::optional_bytes(int column) const {
    if (is_null(column)) return std::nullopt;
    return std::string(bytes(column));
}

void Statement::bind(int place, std::int64_t value) {
    check(sqlite().bind_int64(handle_, place, value));
}

void Statement::bind(int place, std::string_view text) {
    const char *const first = text.data() == nullptr ? "" : text.data();
    check(sqlite().bind_text64(handle_, place, first, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int place, Blob blob) {
    const char *const first = blob.bytes.data() == nullptr ? "" : blob.bytes.data();
    check(sqlite().bind_blob64(handle_, place, first, blob.bytes.size(), SQLITE_STATIC));
}

void Statement::bind(int place, std::nullopt_t /*nothing*/) {
    check(sqlite().bind_null(handle_, place));
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) database_.fail();
}

BlobReader::BlobReader(Database &database, std::string table, std::string column)
    : database_(database), table_(std::move(table)), column_(std::move(column)) {}

BlobReader::~BlobReader() {
    release();
}

void BlobReader::release() {
    sqlite().blob_close(blob_);
    blob_ = nullptr;
}

std::string_view BlobReader::read(std::int64_t row) {
    const int opened = blob_ != nullptr
                           ? sqlite().blob_reopen(blob_, row)
                           : sqlite().blob_open(database_.handle_, "main", table_.c_str(),
                                                column_.c_str(), row, 0, &blob_);
    if (opened == SQLITE_ERROR) database_.fail_damaged("another value where bytes belong");
    if (opened != SQLITE_OK) database_.fail();
    const int size = sqlite().blob_bytes(blob_);
    if (bytes_.size() < static_cast<std::size_t>(size))
        bytes_.resize(static_cast<std::size_t>(size));
    if (sqlite().blob_read(blob_, bytes_.data(), size, 0) != SQLITE_OK) database_.fail();
    return std::string_view(bytes_).substr(0, static_cast<std::size_t>(size));
}

} // namespace bowhist
