#include <bowhist/io/atomic_file.hpp>

#include <bowhist/core/printable.hpp>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

std::unique_ptr<TemporaryFile> temporary_for(const fs::path &destination) {
    std::error_code unknown; // creating the temporary file reports the error
    const fs::file_status status = fs::status(destination, unknown);
    const bool written_directly =
        fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
    return written_directly ? nullptr : std::make_unique<TemporaryFile>(destination);
}

} // namespace

AtomicFile::AtomicFile(fs::path destination)
    : destination_(std::move(destination)), temporary_(temporary_for(destination_)),
      stream_(temporary_ ? temporary_->path() : destination_, printable(destination_)) {}

void AtomicFile::commit() {
    close();
    if (temporary_) temporary_->replace_destination();
}

} // namespace bowhist
