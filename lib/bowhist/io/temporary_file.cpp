#include <bowhist/io/temporary_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/sweep.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <vector>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

/// @throws UnusableName where another name may be taken
[[noreturn]] void fail_destination(const fs::path &destination, std::string_view doing,
                                   int reason) {
    const std::string name = printable(destination);
    if (is_fault_of_name(reason)) throw UnusableName(output_failure(name, doing, reason));
    errno = reason;
    fail_output(name, doing);
}

/// A file that is append-only can be neither replaced nor written over.
bool is_append_only(const fs::path &path) {
    struct statx status {};
    return ::statx(AT_FDCWD, path.c_str(), 0, 0, &status) == 0 &&
           (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

std::time_t written(std::FILE *file) {
    struct stat status {};
    return ::fstat(::fileno(file), &status) == 0 ? status.st_mtime : 0;
}

/// Open for writing, with all its bytes. Not created: where others may not create a file in the
/// folder (a sticky one), they may still write to this one.
FileHandle open_for_writing(const fs::path &path, const std::string &name) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail_output(name, "replaced");
    FileHandle file(::fdopen(descriptor, "wb"));
    if (!file) {
        ::close(descriptor);
        fail_output(name, "replaced");
    }
    return file;
}

void require_room(std::FILE *file, std::uint64_t bytes, const std::string &name) {
    if (bytes == 0) return;
    if (::fallocate(::fileno(file), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) fail_output(name, "written");
}

/// Writes the bytes of one file over those of another, which no rename can replace. A disk without
/// room for them refuses before the first byte is written, where its file system can; a later
/// failure leaves part of the bytes there.
/// @param to    a regular file
/// @param name  of it, in messages
void write_over(const fs::path &from, const fs::path &to, const std::string &name) {
    InputFile source(from, Fault::output);
    FileHandle file = open_for_writing(to, name);
    require_room(file.get(), source.size(), name);
    constexpr std::uint64_t piece = 1 << 20;
    std::vector<std::byte> bytes(std::min(piece, source.size()));
    while (source.remaining() > 0) {
        const auto some = std::span(bytes).first(std::min(piece, source.remaining()));
        source.read(some);
        if (std::fwrite(some.data(), 1, some.size(), file.get()) != some.size())
            fail_output(name, "written");
    }
    if (std::fflush(file.get()) != 0 ||
        ::ftruncate(::fileno(file.get()), static_cast<off_t>(source.size())) != 0 ||
        std::fclose(file.release()) != 0)
        fail_output(name, "written");
}

} // namespace

fs::path where_it_leads(fs::path path) {
    std::error_code error;
    if (!fs::status_known(fs::status(path, error))) return path; // a loop, for one
    while (fs::is_symlink(fs::symlink_status(path, error)))
        path = path.parent_path() / fs::read_symlink(path, error);
    return path;
}

TemporaryFile::TemporaryFile(const fs::path &destination)
    : destination_(where_it_leads(destination)) {
    std::error_code error;
    const fs::file_status status = fs::status(destination, error);
    const std::string name = printable(destination);
    if (!fs::status_known(status)) fail_destination(destination, "created", error.value());
    if (fs::is_directory(status))
        throw Error(Fault::output, name + ": is a directory; name a file in it");
    if (fs::exists(status)) {
        if (!fs::is_regular_file(status))
            throw Error(Fault::output, name + ": is no regular file, and this format needs one; "
                                              "name one");
        if (::access(destination.c_str(), W_OK) != 0) fail_output(name, "replaced");
        if (is_append_only(destination)) fail_destination(destination, "replaced", EPERM);
        old_permissions_ = status.permissions();
    }
    if (!destination_.has_filename())
        throw Error(Fault::output, name + ": names no file to write to");
    create();
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored; // a destructor cannot report it
    if (!path_.empty()) fs::remove(path_, ignored);
}

void TemporaryFile::create() {
    if (create_in(destination_.parent_path())) return;
    const int reason = errno;
    const bool may_not = reason == EACCES || reason == EPERM || reason == EROFS;
    std::error_code unknown;
    const fs::path elsewhere = fs::temp_directory_path(unknown);
    if (!old_permissions_ || !may_not || !create_in(elsewhere))
        fail_destination(destination_, "created", reason);
    beside_ = false;
}

bool TemporaryFile::create_in(const fs::path &folder) {
    static std::atomic<unsigned> next_number = 0;
    for (;;) {
        // not made from the destination's name, which may be as long as a name can be
        fs::path candidate = folder / temporary_name(next_number++);
        const int descriptor =
            ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor >= 0) lock_.reset(::fdopen(descriptor, "wb"));
        if (!lock_) return false;
        // a run that sweeps may have come between; where nothing can be locked, nothing is swept
        const bool taken = !lock(lock_.get()) && errno == EWOULDBLOCK;
        std::error_code error;
        path_ = std::move(candidate);
        if (!taken && fs::exists(path_, error)) break;
        fs::remove(path_, error);
    }
    sweep_temporary_files(folder, written(lock_.get()));
    return true;
}

void TemporaryFile::replace_destination() {
    std::error_code ignored; // permissions are a courtesy; the content matters
    if (old_permissions_ && beside_) fs::permissions(path_, *old_permissions_, ignored);
    if (beside_ && std::rename(path_.c_str(), destination_.c_str()) == 0) {
        path_.clear();
        return;
    }
    if (!old_permissions_) {
        // of a folder on a Windows share ENOENT says that it takes no such name
        const int reason = errno == ENOENT && fs::exists(path_, ignored) ? EINVAL : errno;
        fail_destination(destination_, "replaced", reason);
    }
    // a mount point, or another's file in a sticky folder: what was there can be written to
    write_over(path_, destination_, printable(destination_));
}

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
