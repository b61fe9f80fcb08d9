#include <bowhist/io/sweep.hpp>

#include <bowhist/io/file_handle.hpp>

#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

constexpr std::time_t day = 24 * 60 * 60;

/// Eight hexadecimal digits.
std::string name_of_host() {
    std::string kernel;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), kernel);
    if (kernel.empty()) {
        std::array<char, 256> name{};
        ::gethostname(name.data(), name.size() - 1);
        kernel = name.data();
    }
    const auto digest = static_cast<std::uint32_t>(XXH3_64bits(kernel.data(), kernel.size()));
    return fmt::format("{:08x}", digest);
}

const std::string &this_host() {
    static const std::string host = name_of_host();
    return host;
}

/// A temporary file or folder that a run left, or still writes.
struct Left {
    FileHandle file; ///< null for what is neither or cannot be opened: not ours
    std::time_t written = 0;
};

Left opened(const fs::path &path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
                                                    O_CLOEXEC); // a pipe must not block
    if (descriptor < 0) return {};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 ||
        (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
        ::close(descriptor);
        return {};
    }
    return {FileHandle(::fdopen(descriptor, "rb")), status.st_mtime};
}

/// @param latest  time of the last write
void remove_if_left(const std::vector<fs::path> &files, std::time_t latest) {
    std::vector<Left> locked; // until all of them are gone
    for (const fs::path &file : files) {
        const Left &left = locked.emplace_back(opened(file));
        if (!left.file || left.written > latest || !lock(left.file.get())) return;
    }
    std::error_code ignored; // what cannot be removed stays
    for (const fs::path &file : files) fs::remove_all(file, ignored);
}

bool first_time(const fs::path &folder) {
    static std::mutex mutex; // guards seen
    static std::set<fs::path> seen;
    const std::lock_guard guard(mutex);
    return seen.insert(folder).second;
}

} // namespace

std::string temporary_name(unsigned number) {
    return fmt::format(".bowhist-{}-{}-{}.tmp", this_host(), ::getpid(), number);
}

bool lock(std::FILE *file) {
    return ::flock(::fileno(file), LOCK_EX | LOCK_NB) == 0;
}

void sweep_temporary_files(const fs::path &folder, std::time_t now) {
    if (!first_time(folder)) return;
    // libzip adds six letters of its own; SQLite has files beside a library's
    static const std::regex name(
        R"(\.bowhist-([0-9a-f]{8})-(\d+)-\d+\.tmp(\.\w{6}|-wal|-shm|-journal)?)");
    std::map<std::pair<std::string, std::string>, std::vector<fs::path>> of_run; // host, process
    std::error_code error; // a folder that cannot be listed keeps them
    fs::directory_iterator entry(folder.empty() ? "." : folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string file = entry->path().filename();
        std::smatch parts;
        if (std::regex_match(file, parts, name))
            of_run[{parts[1], parts[2]}].push_back(entry->path());
    }
    for (const auto &[run, files] : of_run)
        remove_if_left(files, run.first == this_host() ? std::numeric_limits<std::time_t>::max()
                                                       : now - day);
}

} // namespace bowhist
