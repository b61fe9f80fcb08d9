#include <bowhist/io/temporary_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/checked_stream.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

/// Locks an open file until it is closed. False, with errno EWOULDBLOCK, when another has it.
bool lock(std::FILE *file) {
    return ::flock(::fileno(file), LOCK_EX | LOCK_NB) == 0;
}

/// Nothing for what is no regular file or cannot be opened: that is not ours to remove.
FileHandle opened(const fs::path &path) {
    const int descriptor =
        ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); // no pipe holds us
    if (descriptor < 0) return {};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return {};
    }
    return FileHandle(::fdopen(descriptor, "rb"));
}

void remove_if_left(const std::vector<fs::path> &files) {
    std::vector<FileHandle> locked; // until all of them are gone
    for (const fs::path &file : files) {
        locked.push_back(opened(file));
        if (!locked.back() || !lock(locked.back().get())) return;
    }
    std::error_code ignored; // what cannot be removed stays
    for (const fs::path &file : files) fs::remove(file, ignored);
}

bool first_time(const fs::path &folder) {
    static std::mutex mutex;
    static std::set<fs::path> seen;
    const std::lock_guard lock(mutex);
    return seen.insert(folder).second;
}

/// Removes the temporary files in a folder that runs left which were killed: of a run, all or none,
/// and none as long as one of them is locked. Once for each folder.
void sweep_temporary_files(const fs::path &folder) {
    if (!first_time(folder)) return;
    // libzip adds six letters of its own
    static const std::regex name(R"(\.bowhist-(\d+)-\d+\.tmp(\.\w{6})?)");
    std::map<std::string, std::vector<fs::path>> of_process;
    std::error_code error; // a folder that cannot be listed keeps them
    fs::directory_iterator entry(folder.empty() ? "." : folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string file = entry->path().filename();
        std::smatch parts;
        if (std::regex_match(file, parts, name)) of_process[parts[1]].push_back(entry->path());
    }
    for (const auto &[process, files] : of_process) remove_if_left(files);
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
    if (!fs::status_known(status)) {
        errno = error.value();
        fail_output(name, "created");
    }
    if (fs::is_directory(status))
        throw Error(Fault::output, name + ": is a directory; name a file in it");
    if (fs::exists(status)) {
        if (!fs::is_regular_file(status))
            throw Error(Fault::output, name + ": is no regular file, and this format needs one; "
                                              "name one");
        if (::access(destination.c_str(), W_OK) != 0) fail_output(name, "replaced");
        old_permissions_ = status.permissions();
    }
    if (!destination_.has_filename())
        throw Error(Fault::output, name + ": names no file to write to");
    create();
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored; // a destructor has nobody to tell
    if (!path_.empty()) fs::remove(path_, ignored);
}

void TemporaryFile::create() {
    static std::atomic<unsigned> next_number = 0;
    const fs::path folder = destination_.parent_path();
    sweep_temporary_files(folder);
    for (;;) {
        // not made from the destination's name, which may be as long as a name can be
        fs::path candidate = folder / fmt::format(".bowhist-{}-{}.tmp", ::getpid(), next_number++);
        const int descriptor =
            ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor >= 0) lock_.reset(::fdopen(descriptor, "wb"));
        if (!lock_) fail_output(printable(destination_), "created");
        // a run that sweeps may have come between; where nothing can be locked, nothing is swept
        const bool taken = !lock(lock_.get()) && errno == EWOULDBLOCK;
        std::error_code error;
        path_ = std::move(candidate);
        if (!taken && fs::exists(path_, error)) return;
        fs::remove(path_, error);
    }
}

void TemporaryFile::replace_destination() {
    std::error_code ignored; // permissions are a courtesy; the content matters
    if (old_permissions_) fs::permissions(path_, *old_permissions_, ignored);
    if (std::rename(path_.c_str(), destination_.c_str()) != 0)
        fail_output(printable(destination_), "replaced");
    path_.clear();
}

} // namespace bowhist
