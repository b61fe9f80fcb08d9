// A verdict is {"bad": [{"library", "icd", "end", "printed"}, ...], "missing": ["...", ...]}. What
// cannot be read as that is as good as none.

#include <bowhist/device/drivers/verdict_cache.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/device/gpu_nodes.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/installed_helper.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::seconds;

constexpr std::chrono::hours good_lifetime{24};
constexpr std::chrono::minutes bad_lifetime{10}; // it may have been repaired by other means

/// Of drivers, loaders, compilers and linkers. Others change with each shell, login and job.
constexpr std::array driver_variables = {"AMD_",
                                         "BOWHIST_",
                                         "CL_",
                                         "CUDA",
                                         "DRI_",
                                         "EGL",
                                         "GALLIUM",
                                         "GL",
                                         "GPU_",
                                         "HIP",
                                         "HOME=",
                                         "HSA",
                                         "IGC_",
                                         "INTEL",
                                         "LD_",
                                         "LIBGL",
                                         "LIBVA",
                                         "LLVM",
                                         "LP_",
                                         "MALI",
                                         "MESA",
                                         "NEO",
                                         "NV",
                                         "NVIDIA",
                                         "OCL",
                                         "ONEAPI",
                                         "OPENCL",
                                         "PATH=",
                                         "POCL",
                                         "R600",
                                         "RADEON",
                                         "RADV",
                                         "ROC",
                                         "RUSTICL",
                                         "SYCL",
                                         "TBB",
                                         "TMPDIR=",
                                         "VK_",
                                         "XDG_CACHE_HOME=",
                                         "XDG_RUNTIME_DIR=",
                                         "ZE",
                                         "__EGL",
                                         "__GL",
                                         "__NV"};

std::string environment() {
    std::string all;
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (std::ranges::any_of(driver_variables,
                                [&](const char *name) { return text.starts_with(name); }))
            all += fmt::format("{}\n", text);
    }
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

bool is_within(const fs::path &file, seconds lifetime) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(file, error);
    if (error) return false;
    std::timespec since_boot{};
    ::clock_gettime(CLOCK_BOOTTIME, &since_boot);
    const auto age = fs::file_time_type::clock::now() - written;
    return age >= age.zero() && age < std::min(lifetime, seconds(since_boot.tv_sec));
}

json as_json(const DriverReport &report) {
    json bad = json::array();
    for (const BadDriver &one : report.bad)
        bad.push_back({{"library", one.driver.library},
                       {"icd", one.driver.icd.string()},
                       {"end", one.end},
                       {"printed", one.printed}});
    return {{"bad", std::move(bad)}, {"missing", report.missing}};
}

DriverReport report_of(const json &verdict) {
    DriverReport report;
    for (const json &one : verdict.at("bad"))
        report.bad.push_back(
            {{one.at("library").get<std::string>(), one.at("icd").get<std::string>()},
             one.at("end").get<std::string>(),
             one.at("printed").get<std::string>()});
    report.missing = verdict.at("missing").get<std::vector<std::string>>();
    return report;
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

VerdictCache::VerdictCache(const fs::path &folder, const std::string &state) {
    if (!folder.empty()) file_ = folder / "drivers" / state;
}

std::optional<DriverReport> VerdictCache::find(const std::vector<Driver> &drivers) const {
    if (file_.empty() || !is_within(file_, good_lifetime)) return std::nullopt;
    const json verdict = json::parse(std::ifstream(file_), nullptr, false);
    try {
        DriverReport report = report_of(verdict);
        if (!report.bad.empty() && !is_within(file_, bad_lifetime)) return std::nullopt;
        const auto is_bad = [&](const Driver &driver) {
            return std::ranges::find(report.bad, driver, &BadDriver::driver) != report.bad.end();
        };
        std::ranges::remove_copy_if(drivers, std::back_inserter(report.good), is_bad);
        const bool is_about_them = report.good.size() + report.bad.size() == drivers.size();
        return is_about_them ? std::optional(report) : std::nullopt; // JSON holds no byte but UTF-8
    } catch (const json::exception &) {
        return std::nullopt;
    }
}

void VerdictCache::remember(const DriverReport &report) const {
    if (file_.empty() || !report.is_tried) return;
    std::error_code ignored; // then the file cannot be made, either
    const fs::path folder = file_.parent_path();
    fs::create_directories(folder, ignored);
    std::vector<fs::path> old;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (entry->path().filename().native().size() == file_.filename().native().size() &&
            !is_within(entry->path(), good_lifetime))
            old.push_back(entry->path());
    for (const fs::path &file : old) fs::remove(file, ignored);
    try {
        AtomicFile file(file_);
        file.write(as_json(report).dump(-1, ' ', false, json::error_handler_t::replace));
        file.commit();
    } catch (const Error &) {
        // the next run tries them again
    }
}

} // namespace bowhist
