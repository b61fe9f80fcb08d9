// Linux: /proc/self/mountinfo says where control groups are mounted, /proc/self/cgroup which of
// them the process is in (cgroups(7), proc(5)).
#include "app/cpu_quota.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// A hierarchy of groups that limits CPU time.
struct Mount {
    bool is_v2;
    fs::path group; ///< which group the mounted folder shows
    fs::path point; ///< where it is mounted
};

/// Whether one of the words between commas is "cpu".
bool names_cpu(const std::string &list) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
        if (word == "cpu") return true;
    return false;
}

/// Lines such as "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:1 - cgroup cgroup rw,cpu".
std::vector<Mount> mounts_in(std::istream &mountinfo) {
    std::vector<Mount> mounts;
    for (std::string line; std::getline(mountinfo, line);) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos) continue;
        std::istringstream before(line.substr(0, dash));
        std::istringstream behind(line.substr(dash + 3));
        std::string skipped;
        std::string group;
        std::string point;
        std::string type;
        std::string options;
        before >> skipped >> skipped >> skipped >> group >> point;
        behind >> type >> skipped >> options;
        if (type == "cgroup2" || (type == "cgroup" && names_cpu(options)))
            mounts.push_back({type == "cgroup2", group, point});
    }
    return mounts;
}

/// The process's group in a hierarchy, from lines such as "0::/a/b" and "4:cpu,cpuacct:/a".
std::optional<fs::path> group_in(std::istream &cgroup, bool is_v2) {
    for (std::string line; std::getline(cgroup, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (is_v2 ? controllers.empty() : names_cpu(controllers)) return line.substr(second + 1);
    }
    return std::nullopt;
}

std::optional<double> quota_of(const fs::path &folder, bool is_v2) {
    double quota = 0; // "max" is no number
    double period = 0;
    if (is_v2) {
        std::ifstream(folder / "cpu.max") >> quota >> period;
    } else {
        std::ifstream(folder / "cpu.cfs_quota_us") >> quota; // -1: no limit
        std::ifstream(folder / "cpu.cfs_period_us") >> period;
    }
    if (quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

/// The path of a group below the one that is mounted; empty where it is that one, or not below.
fs::path below(const fs::path &group, const fs::path &mounted) {
    const fs::path path = group.lexically_relative(mounted);
    return path.empty() || *path.begin() == ".." || *path.begin() == "." ? fs::path() : path;
}

} // namespace

std::optional<double> cpu_quota(const fs::path &root) {
    std::optional<double> least;
    std::ifstream mountinfo(root / "proc/self/mountinfo");
    for (const Mount &mount : mounts_in(mountinfo)) {
        std::ifstream cgroup(root / "proc/self/cgroup");
        const auto group = group_in(cgroup, mount.is_v2);
        if (!group) continue;
        const fs::path point = root / mount.point.relative_path();
        for (fs::path path = below(*group, mount.group);; path = path.parent_path()) {
            const auto quota = quota_of(point / path, mount.is_v2);
            if (quota) least = std::min(least.value_or(*quota), *quota);
            if (path.empty()) break;
        }
    }
    return least;
}

} // namespace bowhist::app
