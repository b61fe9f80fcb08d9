#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace bowhist {

class Database;

/// Says whether others wrote a library, which costs some microseconds. One thread at a time.
class LibraryWatch {
  public:
    /// @throws Error{Fault::input} where it cannot be opened
    explicit LibraryWatch(const std::filesystem::path &path);
    ~LibraryWatch();

    /// Whether it changed since the last call, or since the watch was made. Another file at its
    /// path is a change, a missing file no change.
    bool has_changed();

    /// Takes the log of other runs into the one file, so that a plain copy of it is whole. False if
    /// a reader still needs what the file holds. @throws Error where it cannot be written
    bool take_log_in();

  private:
    struct State {
        std::uint64_t device = 0, inode = 0;
        std::int64_t version = 0;  ///< 0 where SQLite cannot say: the file's time does
        std::int64_t modified = 0; ///< in nanoseconds
        bool operator==(const State &) const = default;
    };
    void open();
    State state() const;

    std::filesystem::path path_;
    std::unique_ptr<Database> database_; ///< null where the file system keeps no locks
    State last_;
};

} // namespace bowhist
