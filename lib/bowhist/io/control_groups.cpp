// Linux: /proc/self/mountinfo says where control groups are mounted, /proc/self/cgroup which of
// them the process is in (cgroups(7), proc(5)).
#include <bowhist/io/control_groups.hpp>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// A hierarchy of groups.
struct Mount {
    bool is_v2;
    fs::path group; ///< which group the mounted folder shows
    fs::path point; ///< where it is mounted
};

/// Whether one of the words between commas is the controller.
bool names(const std::string &list, std::string_view controller) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
        if (word == controller) return true;
    return false;
}

/// Lines such as "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:1 - cgroup cgroup rw,cpu".
std::vector<Mount> mounts_in(std::istream &mountinfo, std::string_view controller) {
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
        if (type == "cgroup2" || (type == "cgroup" && names(options, controller)))
            mounts.push_back({type == "cgroup2", group, point});
    }
    return mounts;
}

/// The process's group in a hierarchy, from lines such as "0::/a/b" and "4:cpu,cpuacct:/a".
std::optional<fs::path> group_in(std::istream &cgroup, bool is_v2, std::string_view controller) {
    for (std::string line; std::getline(cgroup, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (is_v2 ? controllers.empty() : names(controllers, controller))
            return line.substr(second + 1);
    }
    return std::nullopt;
}

/// The path of a group below the one that is mounted; empty where it is that one, or not below.
fs::path below(const fs::path &group, const fs::path &mounted) {
    const fs::path path = group.lexically_relative(mounted);
    return path.empty() || *path.begin() == ".." || *path.begin() == "." ? fs::path() : path;
}

} // namespace

std::vector<ControlGroup> control_groups(std::string_view controller, const fs::path &root) {
    std::vector<ControlGroup> groups;
    std::ifstream mountinfo(root / "proc/self/mountinfo");
    for (const Mount &mount : mounts_in(mountinfo, controller)) {
        std::ifstream cgroup(root / "proc/self/cgroup");
        const auto group = group_in(cgroup, mount.is_v2, controller);
        if (!group) continue;
        const fs::path point = root / mount.point.relative_path();
        for (fs::path path = below(*group, mount.group);; path = path.parent_path()) {
            groups.push_back({point / path, mount.is_v2});
            if (path.empty()) break;
        }
    }
    return groups;
}

} // namespace bowhist
