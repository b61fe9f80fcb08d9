#include <bowhist/library/file/library_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/kept_file.hpp>
#include <bowhist/library/file/schema.hpp>
#include <bowhist/library/file/transaction.hpp>
#include <bowhist/library/file/upgrade.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

std::string reason() {
    return std::generic_category().message(errno);
}

/// "process 123 on host", as the writer recorded itself; where it did not yet, "another run".
std::string writer_of(const fs::path &library) {
    try {
        const auto database = open_to_read(library);
        return Catalogue(*database).about("writer").value_or("another run");
    } catch (const Error &) {
        return "another run";
    }
}

/// @return 0, or what keeps the lock from being had: EWOULDBLOCK is another writer
int lock(int descriptor, double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR && (errno != EWOULDBLOCK || Clock::now() >= end)) return errno;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return 0;
}

/// Refuses any file but a database. SQLite's own message does not help.
void refuse_other_file(const fs::path &library) {
    constexpr std::string_view magic = "SQLite format 3";
    std::string start(magic.size(), 0);
    KeptFile file(library, O_RDONLY); // of a library that is served no descriptor may be closed
    const ssize_t there = ::pread(file.descriptor(), start.data(), start.size(), 0);
    if (there > 0 && start != magic) {
        file.close();
        throw Error(Fault::input,
                    fmt::format("{}: this file is there, and no library; give the library another "
                                "name, such as photos.bow",
                                library));
    }
}

std::unique_ptr<Database> open_as(Database::Access access, const fs::path &library) {
    auto database = std::make_unique<Database>(library, access);
    database->run(
        "PRAGMA query_only=1; PRAGMA cache_size=-32768; PRAGMA cell_size_check=1; BEGIN;");
    require_library(*database);
    return database;
}

/// @param reason  why nothing can be written beside it
std::unique_ptr<Database> open_frozen(const fs::path &library, std::string_view reason) {
    fs::path log = library;
    log += "-wal";
    std::error_code unknown;
    if (fs::exists(log, unknown) && fs::file_size(log, unknown) > 0)
        throw Error(Fault::input,
                    fmt::format("{}: a run that writes it, or was killed, left {} beside it, and "
                                "{}; run bowhist status where it can",
                                library, log.filename(), reason));
    return open_as(Database::Access::frozen, library);
}

/// Hears of reads without locks, and knows of which libraries it has heard.
struct Hearer {
    std::mutex mutex;
    std::function<void(const std::string &)> warn;
    std::set<fs::path> libraries;
};

Hearer &hearer() {
    static Hearer hearer;
    return hearer;
}

void warn_once(const fs::path &library, const std::string &reason) {
    const std::lock_guard lock(hearer().mutex);
    if (hearer().warn && hearer().libraries.insert(library).second)
        hearer().warn(fmt::format("{}: its file system {}, so it is read as it stands; let no run "
                                  "write it meanwhile",
                                  library, reason));
}

bool is_new_file(Database &database) {
    return database.number("SELECT count(*) FROM sqlite_master") == 0;
}

} // namespace

LibraryBusy::LibraryBusy(const fs::path &library, const std::string &by)
    : Error(Fault::output,
            fmt::format("{}: {} is writing it; wait for it, or give --wait SECONDS", library, by)),
      writer(by) {}

WriterLock::WriterLock(const fs::path &library, double seconds) : file_(library, O_RDWR | O_CREAT) {
    if (file_.descriptor() < 0 && errno == EISDIR)
        throw Error(Fault::usage, fmt::format("{}: a folder; give the library a file's name, such "
                                              "as photos.bow",
                                              library));
    if (file_.descriptor() < 0)
        throw Error(Fault::output,
                    fmt::format("{}: cannot be opened to write: {}", library, reason()));
    std::error_code unknown;
    const int fault = lock(file_.descriptor(), seconds);
    if (fault == EWOULDBLOCK) throw LibraryBusy(library, writer_of(library));
    is_new_ = fs::file_size(library, unknown) == 0;
    if (fault == 0) return;
    if (is_new_) fs::remove(library, unknown);
    throw NotShared(Fault::output, library,
                    fmt::format("keeps no locks ({})", std::generic_category().message(fault)));
}

WriterLock::~WriterLock() {
    ::flock(file_.descriptor(), LOCK_UN);
}

std::unique_ptr<Database> open_to_write(const fs::path &library, const Observer *observer) {
    refuse_other_file(library);
    auto database = std::make_unique<Database>(library, Database::Access::write);
    if (is_new_file(*database))
        make_tables(*database);
    else
        require_library(*database);
    database->run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32768;");
    upgrade(*database, observer);
    return database;
}

void fold_log(Database &database) {
    database.run("PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)");
}

void require_file(const fs::path &library) {
    if (is_missing(library))
        throw Error(Fault::input, fmt::format("{}: there is no such library; make one: bowhist "
                                              "index -o photos.bow INPUT...{}",
                                              library, did_you_mean_on_disk(library)));
    std::error_code no_folder;
    if (fs::is_directory(library, no_folder))
        throw Error(Fault::input, fmt::format("{}: a folder, no library; make one of it: bowhist "
                                              "index -o photos.bow {}",
                                              library, library));
}

std::unique_ptr<Database> open_to_read(const fs::path &library) {
    require_file(library);
    try {
        return open_as(Database::Access::read, library);
    } catch (const NotShared &error) {
        auto database = open_frozen(library, "its file system " + error.reason);
        warn_once(library, error.reason);
        return database;
    } catch (const Error &) {
        const fs::path folder = library.has_parent_path() ? library.parent_path() : ".";
        if (::access(folder.c_str(), W_OK) == 0) throw;
    }
    return open_frozen(library, "the folder cannot be written");
}

void warn_of_reads_without_locks(std::function<void(const std::string &line)> warn) {
    const std::lock_guard lock(hearer().mutex);
    hearer().warn = std::move(warn);
}

} // namespace bowhist
