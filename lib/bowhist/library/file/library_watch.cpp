#include <bowhist/library/file/library_watch.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/sqlite/database.hpp>
#include <bowhist/library/sqlite/statement.hpp>

#include <sys/stat.h>

namespace bowhist {

LibraryWatch::LibraryWatch(const std::filesystem::path &path) : path_(path) {
    require_file(path);
    open();
    last_ = state();
}

LibraryWatch::~LibraryWatch() = default;

void LibraryWatch::open() {
    try {
        database_ = std::make_unique<Database>(path_, Database::Access::read);
    } catch (const NotShared &) {
        database_.reset();
    }
}

LibraryWatch::State LibraryWatch::state() const {
    struct stat file {};
    State now = last_;
    if (::stat(path_.c_str(), &file) != 0) return now;
    now.device = file.st_dev;
    now.inode = file.st_ino;
    now.version = now.modified = 0;
    try {
        if (database_) now.version = database_->number("PRAGMA data_version");
    } catch (const Error &) { // in a folder that cannot be written nothing but the file can change
    }
    if (now.version == 0)
        now.modified = std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec;
    return now;
}

bool LibraryWatch::take_log_in() {
    if (!database_) return true;
    Statement checkpoint(*database_, "PRAGMA wal_checkpoint(PASSIVE)");
    constexpr int pages_in_log = 1, pages_taken = 2;
    return !checkpoint.step() || checkpoint.number(pages_in_log) == checkpoint.number(pages_taken);
}

bool LibraryWatch::has_changed() {
    State now = state();
    if (now == last_) return false;
    if (now.device != last_.device || now.inode != last_.inode) {
        open();
        now = state();
    }
    last_ = now;
    return true;
}

} // namespace bowhist
