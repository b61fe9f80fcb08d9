#pragma once

#include <filesystem>
#include <optional>

namespace bowhist::app {

/// The number of cores whose time this process may use, by the quotas of its control group and of
/// those above it (a container's --cpus, systemd's CPUQuota): 1.5, say. Nothing where they set no
/// limit. Control groups of version 2 (cpu.max) and of version 1 (cpu.cfs_quota_us) are read.
/// @param root  what stands for /, in tests
std::optional<double> cpu_quota(const std::filesystem::path &root = "/");

} // namespace bowhist::app
