#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/library/sqlite/database.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// Another run is writing a library: later it can be written.
class LibraryBusy : public Error {
  public:
    /// @param by  "process 123 on host"
    LibraryBusy(const std::filesystem::path &library, const std::string &by);

    std::string writer;
};

/// Begins a transaction, and takes it back unless it is committed.
class Transaction {
  public:
    explicit Transaction(Database &database) : database_(database) {
        database_.run("BEGIN IMMEDIATE");
    }
    ~Transaction() {
        try {
            if (database_.in_transaction()) database_.run("ROLLBACK");
        } catch (const Error &) { // SQLite has taken it back
        }
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    void commit() { database_.run("COMMIT"); }
    void renew() {
        commit();
        database_.run("BEGIN IMMEDIATE");
    }

  private:
    Database &database_;
};

} // namespace bowhist
