#include <bowhist/index/opened_library.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/index/dry_run.hpp>

#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;

OpenedLibrary::OpenedLibrary(const IndexRequest &request, const Observer &observer)
    : path_(request.library) {
    if (!request.dry_run) lock_.emplace(path_, request.wait_seconds);
    try {
        database_ = request.dry_run ? open_for_dry_run(path_) : open_to_write(path_, &observer);
    } catch (const Error &) {
        if (lock_ && lock_->is_new()) remove();
        throw;
    }
}

OpenedLibrary::~OpenedLibrary() {
    const bool is_void = lock_ && lock_->is_new() && (is_discarded_ || !has_models());
    database_.reset();
    if (is_void) remove();
}

void OpenedLibrary::remove() const {
    for (const char *ending : {"", "-wal", "-shm", "-journal"}) {
        std::error_code ignored;
        fs::remove(fs::path(path_) += ending, ignored);
    }
}

bool OpenedLibrary::has_models() {
    try {
        return database_->number("SELECT count(*) FROM models") > 0;
    } catch (const Error &) {
        return true; // what cannot be read is not removed
    }
}

} // namespace bowhist
