#include <bowhist/io/sweep.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <unistd.h>
#include <vector>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

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

} // namespace

std::string temporary_name(int process, unsigned number) {
    return fmt::format(".bowhist-{}-{}.tmp", process, number);
}

bool lock(std::FILE *file) {
    return ::flock(::fileno(file), LOCK_EX | LOCK_NB) == 0;
}

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

} // namespace bowhist
