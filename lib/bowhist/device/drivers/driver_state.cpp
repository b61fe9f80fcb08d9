#include <bowhist/device/drivers/driver_state.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/device/gpu_nodes.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <dlfcn.h>
#include <string_view>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Variables of drivers, loaders, compilers and linkers. Others change with each shell, login and
/// job. Each follows a space, and stands for all names that begin with it.
constexpr std::string_view driver_variables =
    " AMD_ BOWHIST_ CL_ CUDA DRI_ EGL GALLIUM GL GPU_ HIP HOME= HSA IGC_ INTEL LD_ LIBGL LIBVA "
    "LLVM "
    "LP_ MALI MESA NEO NV OCL ONEAPI OPENCL PATH= POCL R600 RADEON RADV ROC RUSTICL SYCL TBB "
    "TMPDIR= VK_ XDG_CACHE_HOME= XDG_RUNTIME_DIR= ZE __EGL __GL __NV ";

bool is_a_drivers(std::string_view variable) {
    if (variable.starts_with("POCL_CACHE_DIR=")) return false; // pocl_cache() set it
    std::string_view names = driver_variables;
    while (names.size() > 1) {
        names.remove_prefix(1);
        const std::size_t end = names.find(' ');
        if (variable.starts_with(names.substr(0, end))) return true;
        names.remove_prefix(end);
    }
    return false;
}

std::string environment() {
    std::string all;
    for (char **variable = environ; *variable != nullptr; ++variable)
        if (is_a_drivers(*variable)) all += fmt::format("{}\n", *variable);
    return all;
}

std::string describe_file(const fs::path &file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    const auto written = fs::last_write_time(file, error).time_since_epoch().count();
    return fmt::format("{} {} {}\n", file.string(), error ? 0 : size, error ? -1 : written);
}

fs::path loader() {
    Dl_info found = {};
    return dladdr(reinterpret_cast<const void *>(&clGetPlatformIDs), &found) == 0 ? ""
                                                                                  : found.dli_fname;
}

fs::path helper() {
    try {
        return installed_helper("bowhist-try-drivers");
    } catch (const Error &) {
        return {};
    }
}

} // namespace

std::string state_of(const std::vector<Driver> &drivers, const std::vector<std::string> &more) {
    std::string all = environment();
    for (const Driver &driver : drivers)
        all += fmt::format("{} {}{}", driver.library, describe_file(driver.icd),
                           describe_file(driver.file()));
    for (const fs::path &file : {loader(), helper(), fs::path("/etc/ld.so.cache")})
        all += describe_file(file);
    for (const GpuNode &gpu : gpu_nodes())
        all += fmt::format("{} {}\n", gpu.node.string(), ::access(gpu.node.c_str(), R_OK | W_OK));
    for (const std::string &text : more) all += text + "\n";
    const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace bowhist
