#pragma once

#include <bowhist/core/error.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;

namespace bowhist {

/// The file system of a library lacks what its runs need beside each other.
class NotShared : public Error {
  public:
    /// @param reason  "keeps no locks (No locks available)"
    NotShared(Fault fault, const std::filesystem::path &library, const std::string &reason);

    std::string reason;
};

/// An open SQLite file, which may be a stranger's: its triggers never run, and what its schema
/// calls are harmless functions alone. One thread at a time. Statements must not outlive it.
class Database {
  public:
    enum class Access {
        read,   ///< waits for a moment while another writes
        frozen, ///< reads a file that nothing writes meanwhile, also in a folder without writing
        write   ///< makes the file, if need be
    };

    /// @throws Error{Fault::input}, of `write` Error{Fault::output}, that names the file; NotShared
    Database(const std::filesystem::path &path, Access access);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    /// Runs statements that return nothing. @throws as Statement::step
    void run(const std::string &sql);

    /// The first number of the first row; 0 without one, or for NULL.
    std::int64_t number(const std::string &sql);
    /// The first text of the first row; empty without one.
    std::string text(const std::string &sql);

    bool in_transaction() const;
    std::int64_t last_row() const; ///< that was inserted
    const std::filesystem::path &path() const { return path_; }

    /// Throws the Error of SQLite's last call: of a full disk, a damaged file, another writer.
    [[noreturn]] void fail() const;
    /// Throws the Error of a damaged file. @param what  "a number of the wrong type"
    [[noreturn]] void fail_damaged(std::string_view what) const;

    /// Long reads of all databases end with Fault::interrupted once `requested` is true; a write
    /// would lose what its transaction did. Null: none ends. Any thread.
    static void end_reads_when(bool (*requested)());

  private:
    friend class Statement;
    friend class BlobReader;

    Fault fault() const { return access_ == Access::write ? Fault::output : Fault::input; }
    void require_locks() const;
    void distrust();

    std::filesystem::path path_;
    Access access_;
    sqlite3 *handle_ = nullptr;
};

} // namespace bowhist
