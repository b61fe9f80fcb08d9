#include <bowhist/io/control_groups.hpp>
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

namespace fs = std::filesystem;

constexpr std::uint64_t kibibyte = 1024;
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number in a file; `otherwise` where there is no file or other text ("max").
std::uint64_t number_in(const fs::path &path, std::uint64_t otherwise) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? number : otherwise;
}

/// The number behind a word that begins a line.
std::uint64_t number_behind(std::string_view word, const fs::path &path, std::uint64_t otherwise) {
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
std::uint64_t left_in(const ControlGroup &group) {
    const auto path = [&](const char *v2, const char *v1) {
        return group.folder / (group.is_v2 ? v2 : v1);
    };
    const std::uint64_t limit = number_in(path("memory.max", "memory.limit_in_bytes"), unlimited);
    if (limit == unlimited) return unlimited;
    const std::uint64_t used = number_in(path("memory.current", "memory.usage_in_bytes"), 0);
    const std::uint64_t in_cache = number_behind(
        group.is_v2 ? "inactive_file" : "total_inactive_file", group.folder / "memory.stat", 0);
    return beyond(limit, beyond(used, in_cache));
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
std::uint64_t left(const fs::path &root, std::uint64_t swapped) {
    const std::uint64_t available =
        number_behind("MemAvailable:", root / "proc/meminfo", unlimited / kibibyte);
    std::uint64_t least =
        available == unlimited / kibibyte ? unlimited : kibibyte * available + swapped;
    for (const ControlGroup &group : control_groups("memory", root))
        least = std::min(least, left_in(group));
    return std::min(least, left_in_process());
}

} // namespace

std::uint64_t held_memory() {
    std::ifstream pages("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    pages >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t free_memory(const fs::path &root) {
    return left(root, 0);
}

std::size_t fitting(std::size_t wanted, std::uint64_t bytes) {
    return std::clamp<std::uint64_t>(free_memory() / 4 / bytes, 1,
                                     std::max<std::uint64_t>(1, wanted));
}

std::uint64_t obtainable_memory(const fs::path &root) {
    return left(root, kibibyte * number_behind("SwapFree:", root / "proc/meminfo", 0));
}

} // namespace bowhist
