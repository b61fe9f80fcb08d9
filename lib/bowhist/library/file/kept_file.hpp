#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bowhist {

/// A descriptor of a library's file beside SQLite's. It is handed back and used again, but not
/// closed while the file has a name: closing any descriptor of a file drops the POSIX locks that
/// the process holds on it, SQLite's, too (https://sqlite.org/howtocorrupt.html, 2.2). Then the
/// next process that closes the library takes itself for the last one, and removes the log that
/// this one still uses.
class KeptFile {
  public:
    /// @param flags  of open(); it is closed in a program that is started
    KeptFile(const std::filesystem::path &path, int flags);
    ~KeptFile();
    KeptFile(const KeptFile &) = delete;
    KeptFile &operator=(const KeptFile &) = delete;

    int descriptor() const { return descriptor_; } ///< below 0: it cannot be opened, see errno

    /// Closes it after all. REQUIRES: it is no library
    void close();

    /// Why its file system keeps no POSIX locks, which SQLite needs: "No locks available"; empty if
    /// it keeps them.
    std::string fault_of_locks() const;

  private:
    int descriptor_;
    int flags_;
    std::uint64_t device_ = 0, inode_ = 0;
};

} // namespace bowhist
