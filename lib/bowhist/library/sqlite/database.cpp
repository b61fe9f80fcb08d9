#include <bowhist/library/sqlite/database.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file/kept_file.hpp>
#include <bowhist/library/sqlite/functions.hpp>
#include <bowhist/library/sqlite/statement.hpp>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <system_error>

namespace bowhist {
namespace {

/// The path as a URI, in which any byte may stand.
std::string uri_of(const std::filesystem::path &path, const char *options) {
    std::string uri = "file:";
    if (path.is_absolute()) uri += "//";
    for (const char letter : path.native()) {
        const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                              letter == '/' || letter == '.' || letter == '-' || letter == '_';
        uri += is_plain ? std::string(1, letter)
                        : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
    return uri + options;
}

/// Who reads may write, too: the last one to leave takes in what a killed run left.
int flags_of(Database::Access access) {
    switch (access) {
    case Database::Access::read:
        return SQLITE_OPEN_READWRITE;
    case Database::Access::frozen:
        return SQLITE_OPEN_READONLY;
    default:
        return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    }
}

std::string damaged(std::string_view what) {
    return fmt::format("this library is damaged ({}); bowhist status --integrity says where", what);
}

/// Why a library cannot be opened.
std::string refusal_of(const std::filesystem::path &path, const char *message) {
    constexpr std::size_t longest = 504; // SQLite's 512, less "-journal"
    std::error_code unknown;
    const std::size_t bytes = std::filesystem::weakly_canonical(path, unknown).native().size();
    if (bytes <= longest) return fmt::format("this library cannot be opened ({})", message);
    return fmt::format("its whole path has {} bytes, and SQLite opens no more than {}; give the "
                       "library a place with a shorter path",
                       bytes, longest);
}

/// An error's meaning, and what a user can do.
std::string meaning_of(const std::filesystem::path &path, int code, const char *message) {
    // a reader, too, needs a page beside the file
    switch (code == SQLITE_IOERR_SHMSIZE ? SQLITE_FULL : code & 0xff) {
    case SQLITE_FULL:
        return "there is no room left on its file system; make room and run it again, nothing "
               "that was written is lost";
    case SQLITE_CORRUPT:
        return damaged(message);
    case SQLITE_NOTADB:
        return "this is no library; make one: bowhist index -o photos.bow INPUT...";
    case SQLITE_BUSY:
        return "another run is writing this library; wait for it, or give --wait SECONDS";
    case SQLITE_READONLY:
        return fmt::format("this library cannot be written ({})", message);
    case SQLITE_CANTOPEN:
        return refusal_of(path, message);
    case SQLITE_IOERR:
        return fmt::format("this library cannot be read or written ({}, code {})", message, code);
    default:
        return message;
    }
}

/// Limits that no statement of this program, and no schema of a library, reaches.
constexpr std::array<std::pair<int, int>, 6> limits{{{SQLITE_LIMIT_SQL_LENGTH, 1'000'000},
                                                     {SQLITE_LIMIT_EXPR_DEPTH, 200},
                                                     {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                                                     {SQLITE_LIMIT_ATTACHED, 0},
                                                     {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1}}};

std::atomic<bool (*)()> end_requested = nullptr;

int ends_now(void * /*unused*/) {
    const auto requested = end_requested.load();
    return requested != nullptr && requested() ? 1 : 0;
}

} // namespace

NotShared::NotShared(Fault whose, const std::filesystem::path &library, const std::string &why)
    : Error(whose, fmt::format("{}: its file system {}, which writing a library needs; keep it on "
                               "a local disk (the photos may stay where they are)",
                               library, why)),
      reason(why) {}

Database::Database(const std::filesystem::path &path, Access access)
    : path_(path), access_(access) {
    if (access != Access::frozen) require_locks();
    const int flags =
        SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | flags_of(access);
    const std::string uri = uri_of(path, access == Access::frozen ? "?immutable=1" : "");
    const int code = sqlite().open_v2(uri.c_str(), &handle_, flags, nullptr);
    if (code == SQLITE_OK) {
        sqlite().busy_timeout(handle_, 5000);
        distrust();
        return;
    }
    const std::string message = handle_ != nullptr ? sqlite().errmsg(handle_) : "no memory";
    sqlite().close_v2(handle_);
    throw Error(fault(), fmt::format("{}: {}", path, meaning_of(path, code, message.c_str())));
}

void Database::require_locks() const {
    const std::string reason = KeptFile(path_, O_RDONLY | O_NONBLOCK).fault_of_locks();
    if (!reason.empty())
        throw NotShared(fault(), path_, fmt::format("keeps no locks ({})", reason));
}

void Database::distrust() {
    constexpr int steps_between_looks = 10'000; // of a statement: a millisecond, about
    for (const auto &[setting, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                         {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                         {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                         {SQLITE_DBCONFIG_ENABLE_FKEY, 0}})
        sqlite().db_config(handle_, setting, value, nullptr);
    for (const auto &[limit, most] : limits) sqlite().limit(handle_, limit, most);
    if (access_ != Access::write)
        sqlite().progress_handler(handle_, steps_between_looks, ends_now, nullptr);
}

void Database::end_reads_when(bool (*requested)()) {
    end_requested = requested;
}

Database::~Database() {
    sqlite().close_v2(handle_);
}

void Database::run(const std::string &sql) {
    if (sqlite().exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::number(const std::string &sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.optional_number(0).value_or(0) : 0;
}

std::string Database::text(const std::string &sql) {
    Statement statement(*this, sql);
    return statement.step() ? std::string(statement.bytes(0)) : std::string();
}

bool Database::in_transaction() const {
    return sqlite().get_autocommit(handle_) == 0;
}

std::int64_t Database::last_row() const {
    return sqlite().last_insert_rowid(handle_);
}

void Database::fail_damaged(std::string_view what) const {
    throw Error(Fault::input, fmt::format("{}: {}", path_, damaged(what)));
}

void Database::fail() const {
    const int reason = errno;
    const int code = sqlite().extended_errcode(handle_);
    const int kind = code & 0xff;
    if (kind == SQLITE_INTERRUPT) throw Error(Fault::interrupted, "interrupted");
    if (kind == SQLITE_BUSY) require_locks(); // they may have failed since
    if (kind == SQLITE_CORRUPT && reason == EIO)
        throw Error(fault(), fmt::format("{}: this library cannot be read ({})", path_,
                                         std::generic_category().message(reason)));
    if (code == SQLITE_IOERR_SHMMAP)
        throw NotShared(fault(), path_, "shares no memory between processes");
    const bool is_damaged = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
    throw Error(is_damaged ? Fault::input : fault(),
                fmt::format("{}: {}", path_, meaning_of(path_, code, sqlite().errmsg(handle_))));
}

} // namespace bowhist
