#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace bowhist {

/// Bytes that SQLite keeps as they are; a std::string_view is text.
struct Blob {
    std::string_view bytes;
};

/// A prepared statement. One thread at a time; the database outlives it.
///
/// Protocol: with(values...), then step() until it is false, reading columns between; or run().
class Statement {
  public:
    /// @throws Error as Database::fail
    Statement(Database &database, const std::string &sql);
    ~Statement();
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;

    /// Starts anew with these values for ?1, ?2, ... Blobs and text are borrowed until the next
    /// call of with(), or the end of the steps.
    template <typename... Values>
    Statement &with(const Values &...values) {
        reset();
        int place = 0;
        (bind(++place, values), ...);
        return *this;
    }

    /// Whether there is a row. @throws Error as Database::fail
    bool step();
    /// Steps to the end.
    void run();
    void reset();

    // @throws Error as Database::fail_damaged for a value of another kind than is read
    std::int64_t number(int column) const;
    /// The bytes of a blob or text, valid until the next step.
    std::string_view bytes(int column) const;
    bool is_null(int column) const;
    bool is_number(int column) const;
    int columns() const;
    std::optional<std::int64_t> optional_number(int column) const;
    std::optional<std::string> optional_bytes(int column) const;

  private:
    void bind(int place, std::int64_t value);
    void bind(int place, std::string_view text);
    void bind(int place, Blob blob);
    void bind(int place, std::nullopt_t);
    template <typename Value>
    void bind(int place, const std::optional<Value> &value) {
        if (value)
            bind(place, *value);
        else
            bind(place, std::nullopt);
    }
    template <std::integral Whole>
    void bind(int place, Whole value) {
        bind(place, static_cast<std::int64_t>(value));
    }
    void bind(int place, const std::string &text) { bind(place, std::string_view(text)); }
    void check(int code) const;
    void require(bool is_of_kind, const char *what) const {
        if (!is_of_kind) database_.fail_damaged(what);
    }

    Database &database_;
    sqlite3_stmt *handle_ = nullptr;
};

} // namespace bowhist

struct sqlite3_blob;

namespace bowhist {

/// Reads large blobs of a column, into memory that is used again. One thread at a time; the
/// database outlives it.
class BlobReader {
  public:
    BlobReader(Database &database, std::string table, std::string column);
    ~BlobReader();
    BlobReader(const BlobReader &) = delete;
    BlobReader &operator=(const BlobReader &) = delete;

    /// The blob of a row that is there; valid until the next call. @throws Error as Database::fail
    std::string_view read(std::int64_t row);
    /// Ends what was read: else no commit could take the log in.
    void release();

  private:
    Database &database_;
    std::string table_, column_;
    sqlite3_blob *blob_ = nullptr;
    std::string bytes_;
};

} // namespace bowhist
