#include "app/free_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace bowhist::app {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number in a file of the system's; `unlimited` where there is none.
std::uint64_t number_in(const std::string &path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? number : unlimited;
}

/// The least limit of a control group and those around it. In a container the paths are the
/// host's, and its own group is the root of what it sees.
std::uint64_t least_limit(const std::string &root, std::filesystem::path group, const char *limit) {
    std::uint64_t least = number_in(root + "/" + limit);
    for (; group.has_relative_path(); group = group.parent_path())
        least = std::min(least, number_in(root + group.native() + "/" + limit));
    return least;
}

/// By the control group that the program runs in, of either version.
std::uint64_t allowed_memory() {
    std::ifstream groups("/proc/self/cgroup");
    std::uint64_t least = unlimited;
    for (std::string line; std::getline(groups, line);) { // number:controllers:/path
        const std::string path = line.substr(line.find(':', line.find(':') + 1) + 1);
        if (line.starts_with("0::"))
            least = std::min(least, least_limit("/sys/fs/cgroup", path, "memory.max"));
        if (line.find(":memory:") != std::string::npos)
            least = std::min(least,
                             least_limit("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
    }
    return least;
}

} // namespace

std::uint64_t held_memory() {
    std::ifstream pages("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    pages >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t free_memory() {
    std::ifstream file("/proc/meminfo");
    std::uint64_t available = unlimited;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("MemAvailable:")) available = 1024 * std::stoull(line.substr(13));
    return std::min(available, allowed_memory());
}

} // namespace bowhist::app
