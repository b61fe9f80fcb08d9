#include <bowhist/io/free_memory.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

namespace bowhist {
namespace {

constexpr std::uint64_t kibibyte = 1024;
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Names of files in a version of control groups.
struct GroupFiles {
    const char *limit;
    const char *used;
    const char *in_cache; ///< in memory.stat
};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};

/// The number in a file; `otherwise` where there is no file or other text ("max").
std::uint64_t number_in(const std::string &path, std::uint64_t otherwise) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? number : otherwise;
}

/// The number behind a word that begins a line.
std::uint64_t number_behind(std::string_view word, const std::string &path,
                            std::uint64_t otherwise) {
    std::ifstream file(path);
    std::string name;
    for (std::string line; file >> name; std::getline(file, line)) {
        std::uint64_t number = 0;
        if (name == word && file >> number) return number;
    }
    return otherwise;
}

std::uint64_t beyond(std::uint64_t all, std::uint64_t part) {
    return all > part ? all - part : 0;
}

/// Bytes that the limit of one control group leaves.
std::uint64_t left_in_group(const std::string &group, const GroupFiles &files) {
    const std::uint64_t limit = number_in(group + "/" + files.limit, unlimited);
    if (limit == unlimited) return unlimited;
    const std::uint64_t used = number_in(group + "/" + files.used, 0);
    const std::uint64_t in_cache = number_behind(files.in_cache, group + "/memory.stat", 0);
    return beyond(limit, beyond(used, in_cache));
}

/// The least of a control group and those around it. In a container the paths are the host's, and
/// its own group is the root of what it sees.
std::uint64_t least_left(const std::string &root, std::filesystem::path group,
                         const GroupFiles &files) {
    std::uint64_t least = left_in_group(root, files);
    for (; group.has_relative_path(); group = group.parent_path())
        least = std::min(least, left_in_group(root + group.native(), files));
    return least;
}

/// Bytes that the control group leaves in which the program runs, of either version.
std::uint64_t left_in_groups(const MemoryFiles &files) {
    std::ifstream groups(files.proc + "/self/cgroup");
    std::uint64_t least = unlimited;
    for (std::string line; std::getline(groups, line);) { // number:controllers:/path
        const std::size_t second = line.find(':', line.find(':') + 1);
        if (second == std::string::npos) continue;
        const std::string path = line.substr(second + 1);
        if (line.starts_with("0::"))
            least = std::min(least, least_left(files.control_groups, path, version_2));
        if (line.substr(0, second).find("memory") != std::string::npos)
            least = std::min(least, least_left(files.control_groups + "/memory", path, version_1));
    }
    return least;
}

std::uint64_t left_of(decltype(RLIMIT_AS) which, std::uint64_t taken) {
    struct rlimit limit {};
    if (::getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return beyond(limit.rlim_cur, taken);
}

/// Bytes that ulimit -v and -d leave.
std::uint64_t left_in_process() {
    const std::string status = "/proc/self/status";
    return std::min(left_of(RLIMIT_AS, kibibyte * number_behind("VmSize:", status, 0)),
                    left_of(RLIMIT_DATA, kibibyte * number_behind("VmData:", status, 0)));
}

/// @param swapped  bytes that can be swapped out
std::uint64_t left(const MemoryFiles &files, std::uint64_t swapped) {
    const std::uint64_t available =
        number_behind("MemAvailable:", files.proc + "/meminfo", unlimited / kibibyte);
    const std::uint64_t of_system =
        available == unlimited / kibibyte ? unlimited : kibibyte * available + swapped;
    return std::min({of_system, left_in_groups(files), left_in_process()});
}

} // namespace

std::uint64_t held_memory() {
    std::ifstream pages("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    pages >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t free_memory(const MemoryFiles &files) {
    return left(files, 0);
}

std::uint64_t obtainable_memory(const MemoryFiles &files) {
    return left(files, kibibyte * number_behind("SwapFree:", files.proc + "/meminfo", 0));
}

} // namespace bowhist
