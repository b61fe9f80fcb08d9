#include "app/command/cpu_quota.hpp"

#include <bowhist/io/control_groups.hpp>

#include <algorithm>
#include <fstream>

namespace bowhist::app {
namespace {

std::optional<double> quota_of(const ControlGroup &group) {
    double quota = 0; // "max" is no number
    double period = 0;
    if (group.is_v2) {
        std::ifstream(group.folder / "cpu.max") >> quota >> period;
    } else {
        std::ifstream(group.folder / "cpu.cfs_quota_us") >> quota; // -1: no limit
        std::ifstream(group.folder / "cpu.cfs_period_us") >> period;
    }
    if (quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

} // namespace

std::optional<double> cpu_quota(const std::filesystem::path &root) {
    std::optional<double> least;
    for (const ControlGroup &group : control_groups("cpu", root))
        if (const auto quota = quota_of(group)) least = std::min(least.value_or(*quota), *quota);
    return least;
}

} // namespace bowhist::app
