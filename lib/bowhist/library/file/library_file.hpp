#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/file/kept_file.hpp>
#include <bowhist/library/sqlite/database.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace bowhist {

/// Holds a library for one writer, until it is destroyed or its process ends.
class WriterLock {
  public:
    /// Makes an empty file if the path leads to no file.
    /// @param seconds  to wait for another writer
    /// @throws Error{Fault::output}: it cannot be opened to write; LibraryBusy; NotShared
    WriterLock(const std::filesystem::path &library, double seconds);
    ~WriterLock();
    WriterLock(const WriterLock &) = delete;
    WriterLock &operator=(const WriterLock &) = delete;

    bool is_new() const { return is_new_; } ///< whether nothing was in the file

  private:
    KeptFile file_;
    bool is_new_ = false;
};

/// Opens a library to write, or makes its tables in an empty file. One of an earlier version is
/// upgraded first (upgrade.hpp). REQUIRES: a WriterLock
/// @param observer  asked whether to stop an upgrade; may be null
/// @throws Error as Database, require_library; Error{Fault::interrupted}
std::unique_ptr<Database> open_to_write(const std::filesystem::path &library,
                                        const Observer *observer = nullptr);

/// Ends writing: takes the log into the file. The last one that closes the library does it if a
/// reader still needs the log.
void fold_log(Database &database);

/// @throws Error{Fault::input}: the path leads to nothing, or to a folder
void require_file(const std::filesystem::path &library);

/// Opens a library and begins to read: later writes of others are not seen. A killed run's log
/// beside it is taken in and removed, if the folder can be written. The file is read as it stands
/// where its file system keeps no locks.
/// @throws Error as require_file, Database, require_library
std::unique_ptr<Database> open_to_read(const std::filesystem::path &library);

/// Sets what gets a line about each library that is read without locks; empty: nothing does.
void warn_of_reads_without_locks(std::function<void(const std::string &line)> warn);

} // namespace bowhist
