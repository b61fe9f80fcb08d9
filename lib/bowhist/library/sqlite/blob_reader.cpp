#include <bowhist/library/sqlite/blob_reader.hpp>

#include <bowhist/library/sqlite/functions.hpp>

namespace bowhist {

BlobReader::BlobReader(Database &database, std::string table, std::string column)
    : database_(database), table_(std::move(table)), column_(std::move(column)) {}

BlobReader::~BlobReader() {
    release();
}

void BlobReader::release() {
    sqlite().blob_close(blob_);
    blob_ = nullptr;
}

std::string_view BlobReader::read(std::int64_t row) {
    const int opened = blob_ != nullptr
                           ? sqlite().blob_reopen(blob_, row)
                           : sqlite().blob_open(database_.handle_, "main", table_.c_str(),
                                                column_.c_str(), row, 0, &blob_);
    if (opened == SQLITE_ERROR) database_.fail_damaged("another value where bytes belong");
    if (opened != SQLITE_OK) database_.fail();
    const int size = sqlite().blob_bytes(blob_);
    if (bytes_.size() < static_cast<std::size_t>(size))
        bytes_.resize(static_cast<std::size_t>(size));
    if (sqlite().blob_read(blob_, bytes_.data(), size, 0) != SQLITE_OK) database_.fail();
    return std::string_view(bytes_).substr(0, static_cast<std::size_t>(size));
}

} // namespace bowhist
