#include <bowhist/device/drivers/driver.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/gpu_nodes.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

constexpr const char *usual_vendors = "/etc/OpenCL/vendors";

std::string variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::vector<std::string> parts_of(const std::string &paths) {
    std::vector<std::string> parts;
    std::istringstream stream(paths);
    for (std::string part; std::getline(stream, part, ':');)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

/// An .icd is one line; loaders ignore one that cannot be read or is empty.
void add_named_in(const fs::path &icd, std::vector<Driver> &drivers) {
    std::error_code error;
    std::string library;
    if (!fs::is_regular_file(icd, error)) return; // a pipe would wait for a writer
    std::getline(std::ifstream(icd), library);
    if (!library.empty()) drivers.push_back({library, icd});
}

void add_folder(const fs::path &folder, std::vector<Driver> &drivers) {
    std::vector<fs::path> icds;
    std::error_code error; // a folder that is missing has none
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().native().ends_with(".icd")) icds.push_back(entry->path());
    std::ranges::sort(icds);
    for (const fs::path &icd : icds) add_named_in(icd, drivers);
}

/// Adds the drivers that a loader's OCL_ICD_VENDORS names.
void add_vendors(const std::string &vendors, const fs::path &folder, std::vector<Driver> &drivers) {
    std::error_code error;
    if (fs::is_directory(vendors, error)) return add_folder(vendors, drivers);
    if (!vendors.ends_with(".icd")) return drivers.push_back({vendors, {}});
    const bool in_folder =
        vendors.find('/') == std::string::npos && fs::exists(folder / vendors, error);
    add_named_in(in_folder ? folder / vendors : fs::path(vendors), drivers);
}

/// The loader's own folder: most drivers of a system lie there, too.
fs::path loaders_folder() {
    Dl_info found = {};
    if (dladdr(reinterpret_cast<const void *>(&clGetPlatformIDs), &found) == 0) return {};
    return fs::path(found.dli_fname).parent_path();
}

} // namespace

std::string Driver::name() const {
    if (!icd.empty()) return fmt::format("{} (named in {})", library, icd);
    return fmt::format("{} (named by {})", printable(library),
                       variable("OCL_ICD_VENDORS") == library ? "OCL_ICD_VENDORS"
                                                              : "OCL_ICD_FILENAMES");
}

fs::path Driver::file() const {
    if (library.find('/') != std::string::npos) return library;
    std::vector<std::string> folders = parts_of(variable("LD_LIBRARY_PATH"));
    folders.push_back(loaders_folder());
    for (const char *usual : {"/usr/lib64", "/usr/lib", "/usr/local/lib"}) folders.push_back(usual);
    std::error_code error;
    for (const fs::path folder : folders)
        if (fs::exists(folder / library, error)) return folder / library;
    return {};
}

bool Driver::is_pocl() const {
    return fs::path(library).filename().native().find("pocl") != std::string::npos;
}

std::vector<Driver> installed_drivers() {
    std::vector<Driver> drivers;
    const std::string vendors = variable("OCL_ICD_VENDORS");
    fs::path folder = variable("OPENCL_VENDOR_PATH");
    if (folder.empty()) folder = usual_vendors;
    if (vendors.empty())
        add_folder(folder, drivers);
    else
        add_vendors(vendors, folder, drivers);
    for (const std::string &library : parts_of(variable("OCL_ICD_FILENAMES")))
        drivers.push_back({library, {}});
    return drivers;
}

std::string remedy_without_device() {
    const std::vector<Driver> drivers = installed_drivers();
    if (const char *chosen = std::getenv("POCL_DEVICES"))
        if (std::ranges::any_of(drivers, &Driver::is_pocl))
            return fmt::format("POCL_DEVICES is \"{}\", by which PoCL offers none; unset it",
                               excerpt(chosen));
    for (const char *name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) {
        const std::string value = variable(name);
        const bool names_none = std::ranges::none_of(drivers, [](const Driver &driver) {
            std::error_code missing;
            return fs::is_regular_file(driver.file(), missing);
        });
        if (!value.empty() && names_none)
            return fmt::format("{} is \"{}\", which leads to no driver; unset it, or name a folder "
                               "with a driver's .icd",
                               name, excerpt(value));
    }
    const std::string install = "install one (the package pocl-opencl-icd runs on any CPU)";
    if (!drivers.empty()) return install;
    return fmt::format("{} names no driver; {}, or set OCL_ICD_VENDORS to the folder of your "
                       "driver's .icd",
                       usual_vendors, install);
}

bool write_icds(const std::vector<Driver> &drivers, const fs::path &folder) {
    for (std::size_t i = 0; i < drivers.size(); ++i) {
        std::ofstream icd(folder / fmt::format("{:03}.icd", i));
        icd << drivers[i].library << "\n";
        if (!icd.flush()) return false;
    }
    return true;
}

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
