#include <bowhist/io/unfinished_folder.hpp>

#include <bowhist/io/sweep.hpp>
#include <bowhist/io/temporary_file.hpp>

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

fs::path without_slash(fs::path path) {
    while (!path.has_filename() && path.has_parent_path() && path != path.parent_path())
        path = path.parent_path();
    return path;
}

/// Null where it cannot be opened.
FileHandle opened(const fs::path &folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return {};
    FileHandle file(::fdopen(descriptor, "rb"));
    if (!file) ::close(descriptor);
    return file;
}

std::time_t changed(std::FILE *file) {
    struct stat status {};
    return file != nullptr && ::fstat(::fileno(file), &status) == 0 ? status.st_mtime : 0;
}

} // namespace

UnfinishedFolder::UnfinishedFolder(const fs::path &destination)
    : destination_(where_it_leads(without_slash(destination))) {
    const fs::path folder = destination_.parent_path();
    std::error_code unknown;
    for (fs::path above = folder; !above.empty() && !fs::exists(above, unknown);
         above = above.parent_path())
        above_.push_back(above);
    if (!folder.empty()) fs::create_directories(folder);
    while (!create(folder)) {
    }
    sweep_temporary_files(folder, changed(lock_.get()));
}

UnfinishedFolder::~UnfinishedFolder() {
    std::error_code ignored; // a destructor cannot report it
    if (path_.empty()) return;
    fs::remove_all(path_, ignored);
    for (const fs::path &above : above_) fs::remove(above, ignored);
}

/// False where the name is another's, or a run that sweeps took the folder before it was locked.
bool UnfinishedFolder::create(const fs::path &folder) {
    static std::atomic<unsigned> next_number = 0;
    const fs::path candidate = folder / temporary_name(next_number++);
    if (::mkdir(candidate.c_str(), 0777) != 0) {
        if (errno == EEXIST) return false;
        throw fs::filesystem_error("mkdir", candidate, {errno, std::generic_category()});
    }
    lock_ = opened(candidate);
    const bool taken = lock_ && !lock(lock_.get()) && errno == EWOULDBLOCK;
    std::error_code unknown;
    if (taken || !fs::exists(candidate, unknown)) return false;
    path_ = candidate;
    return true;
}

void UnfinishedFolder::take_place() {
    take_place_as(destination_);
}

void UnfinishedFolder::take_place_as(const fs::path &destination) {
    fs::rename(path_, destination);
    path_.clear();
}

} // namespace bowhist
