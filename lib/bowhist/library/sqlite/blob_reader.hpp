#pragma once

#include <bowhist/library/sqlite/database.hpp>

#include <cstdint>
#include <string>
#include <string_view>

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
