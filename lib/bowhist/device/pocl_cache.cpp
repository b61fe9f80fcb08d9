#include <bowhist/device/pocl_cache.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/device/drivers/driver_news.hpp>
#include <bowhist/io/own_folders.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <sys/statvfs.h>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t least_free_bytes = std::uint64_t{16} << 20; // a run's kernels take 4 MiB
constexpr std::uint64_t least_free_files = 1000;                    // and some 300 files

fs::path variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// PoCL's own folder for kernels, except that empty variables count as missing: PoCL aborts.
fs::path usual_folder() {
    if (const fs::path own = variable("POCL_CACHE_DIR"); !own.empty()) return own;
    if (const fs::path all = variable("XDG_CACHE_HOME"); !all.empty()) return all / "pocl/kcache";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache/pocl/kcache";
    return {};
}

/// The part of a path that is there.
fs::path existing_part(fs::path folder) {
    std::error_code error;
    while (!fs::exists(fs::symlink_status(folder, error)) && folder.has_relative_path())
        folder = folder.parent_path();
    return folder.empty() ? "." : folder;
}

PoclCache choose_cache() {
    const fs::path usual = usual_folder();
    const auto fault = usual.empty() ? "" : pocl_folder_fault(usual);
    if (!fault) return {usual, usual, {}};
    static const ScratchFolder scratch(ScratchFolder::temporary());
    std::error_code ignored;
    // A home that is read-only is one on purpose.
    const bool is_writable = ::access(existing_part(usual).c_str(), W_OK | X_OK) == 0 &&
                             fs::is_directory(existing_part(usual), ignored);
    if (usual.empty() || !is_writable) return {scratch.path(), usual, {}};
    return {scratch.path(), usual,
            fmt::format("PoCL's cache {} {}: kernels are compiled anew in each run; set "
                        "POCL_CACHE_DIR to a folder elsewhere",
                        usual, *fault)};
}

} // namespace

std::optional<std::string> pocl_folder_fault(const fs::path &folder) {
    const fs::path there = existing_part(folder);
    std::error_code error;
    if (!fs::is_directory(there, error) || ::access(there.c_str(), W_OK | X_OK) != 0)
        return "cannot be written to";
    struct statvfs system {};
    if (::statvfs(there.c_str(), &system) != 0) return std::nullopt;
    if ((system.f_flag & ST_NOEXEC) != 0) return "is on a file system mounted noexec";
    const bool counts_files = system.f_files > 0; // btrfs does not
    if (std::uint64_t{system.f_bavail} * system.f_frsize < least_free_bytes ||
        (counts_files && system.f_favail < least_free_files))
        return fmt::format("has no room (less than {} MiB are free)", least_free_bytes >> 20);
    return std::nullopt;
}

const PoclCache &pocl_cache() {
    static const PoclCache cache = [] {
        PoclCache chosen = choose_cache();
        ::setenv("POCL_CACHE_DIR", chosen.folder.c_str(), 1);
        return chosen;
    }();
    return cache;
}

fs::path pocl_linker() {
    std::string path = variable("PATH");
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        fs::path linker = fs::path(path.substr(start, end - start)) / "ld";
        if (::access(linker.c_str(), X_OK) == 0) return linker;
        start = end + 1;
    }
    return {};
}

std::optional<std::string> what_pocl_lacks() {
    if (pocl_linker().empty())
        return "it links kernels by ld, and there is no ld in PATH; install binutils";
    const fs::path &folder = pocl_cache().folder;
    const auto fault = folder.empty() ? "cannot be made" : pocl_folder_fault(folder);
    if (!fault) return std::nullopt;
    const std::string &complaint = pocl_cache().complaint;
    return fmt::format("{}; its folder for this run, {}, {}; set POCL_CACHE_DIR to a folder with "
                       "room that is not mounted noexec",
                       complaint.substr(0, complaint.find(':')), folder, *fault);
}

void prepare_to_build(const cl::Device &device) {
    const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
    if (platform.getInfo<CL_PLATFORM_NAME>() != "Portable Computing Language") return;
    static std::once_flag once;
    std::call_once(once, [] {
        remove_damaged_programs(pocl_cache().folder);
        if (!pocl_cache().complaint.empty()) add_driver_news({pocl_cache().complaint, {}});
    });
}

} // namespace bowhist
