#include <bowhist/device/drivers/drivers.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/device/drivers/driver.hpp>
#include <bowhist/device/drivers/verdict_cache.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/device/pocl_cache.hpp>
#include <bowhist/io/own_folders.hpp>

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <sstream>
#include <utility>

namespace bowhist {
namespace {

std::mutex mutex;
std::vector<DriverNews> waiting;

} // namespace

void add_driver_news(DriverNews news) {
    const std::lock_guard lock(mutex);
    waiting.push_back(std::move(news));
}

std::vector<DriverNews> take_driver_news() {
    const std::lock_guard lock(mutex);
    return std::exchange(waiting, {});
}

std::vector<std::string> lines_about_drivers(const std::string &advice) {
    std::vector<std::string> lines;
    for (DriverNews &news : take_driver_news()) {
        lines.push_back(news.line + advice);
        for (std::string &line : news.printed) lines.push_back(std::move(line));
    }
    return lines;
}

namespace {

namespace fs = std::filesystem;

bool has_pocl(const std::vector<Driver> &drivers) {
    return std::ranges::any_of(drivers, &Driver::is_pocl);
}

/// With so few, a driver fails for want of threads; the run itself says so.
bool may_have_few_processes() {
    constexpr rlim_t few = 64;
    rlimit limit = {};
    return getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < few;
}

/// "524288000", bytes of address space, which ends a driver in many ways; empty: without a limit.
std::string limit_of_memory() {
    rlimit limit = {};
    const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited ? std::to_string(limit.rlim_cur) : "";
}

/// @param all  whether these are the ones that the loader finds anyway
std::optional<Trial> try_them(const std::vector<Driver> &drivers, bool all) {
    std::vector<Setting> settings;
    const ScratchFolder icds(all ? fs::path() : ScratchFolder::temporary());
    if (!all) {
        if (icds.path().empty() || !write_icds(drivers, icds.path())) return std::nullopt;
        settings = {{"OCL_ICD_VENDORS", icds.path()}, {"OCL_ICD_FILENAMES", std::nullopt}};
    }
    const bool pocl = has_pocl(drivers);
    std::error_code ignored; // then PoCL's trial shows it
    if (pocl) fs::create_directories(pocl_cache().folder, ignored);
    // PoCL shall compile and link its kernel there, whatever it has compiled before.
    const ScratchFolder kernels(pocl ? pocl_cache().folder : fs::path());
    if (pocl && !kernels.path().empty()) settings.emplace_back("POCL_CACHE_DIR", kernels.path());
    return try_together(drivers, settings);
}

DriverReport try_or_remember(const std::vector<Driver> &drivers) {
    if (drivers.empty() || may_have_few_processes())
        return {.good = drivers, .bad = {}, .missing = {}, .is_tried = false};
    std::vector<std::string> more = {limit_of_memory()};
    if (has_pocl(drivers))
        more = {limit_of_memory(), pocl_cache().usual, pocl_cache().complaint, pocl_linker(),
                what_pocl_lacks() ? "lacks" : ""};
    const VerdictCache cache(user_cache_folder(), state_of(drivers, more));
    if (auto known = cache.find(drivers)) return *known;
    // Without a folder PoCL aborts, and whichever driver is tried beside it would be blamed.
    std::vector<Driver> able = drivers;
    std::vector<BadDriver> unable;
    if (has_pocl(drivers) && pocl_cache().folder.empty()) {
        std::erase_if(able, &Driver::is_pocl);
        for (const Driver &driver : drivers)
            if (driver.is_pocl()) unable.push_back({driver, "has no folder for kernels", {}});
    }
    DriverReport report = sift(able, [&](const std::vector<Driver> &some) {
        return try_them(some, some.size() == drivers.size());
    });
    std::ranges::move(unable, std::back_inserter(report.bad));
    cache.remember(report);
    return report;
}

std::vector<std::string> printed_by(const BadDriver &bad) {
    constexpr std::size_t most = 8;
    std::vector<std::string> lines;
    std::istringstream stream(bad.printed);
    for (std::string line; lines.size() < most && std::getline(stream, line);)
        if (!line.empty())
            lines.push_back(fmt::format("{} printed: {}", bad.driver.library, excerpt(line)));
    return lines;
}

std::atomic<bool> is_loading = false;

} // namespace

DriverNews news_of(const BadDriver &bad) {
    const std::string what =
        fmt::format("the OpenCL driver {} {} and is not used", bad.driver.name(), bad.end);
    if (bad.driver.is_pocl())
        if (const auto lack = what_pocl_lacks()) return {what + ": " + *lack, {}};
    if (!limit_of_memory().empty())
        return {what + "; its memory is limited (ulimit -v), which may be why: raise the limit",
                printed_by(bad)};
    const bool was_slow = bad.end.starts_with("does not");
    return {what + (was_slow ? "; BOWHIST_DRIVER_SECONDS=60 would give it more time"
                             : "; repair or remove it"),
            printed_by(bad)};
}

const DriverReport &tried_drivers() {
    static const DriverReport report = [] {
        DriverReport made = try_or_remember(installed_drivers());
        for (const BadDriver &bad : made.bad) add_driver_news(news_of(bad));
        return made;
    }();
    return report;
}

bool has_loaded_drivers() {
    return is_loading;
}

bool load_good_drivers() {
    static const bool loaded = [] {
        is_loading = true;
        const DriverReport &report = tried_drivers();
        if (report.bad.empty()) return true;
        const ScratchFolder icds(ScratchFolder::temporary());
        if (report.good.empty() || icds.path().empty() || !write_icds(report.good, icds.path()))
            return false;
        ::setenv("OCL_ICD_VENDORS", icds.path().c_str(), 1);
        ::unsetenv("OCL_ICD_FILENAMES");
        std::vector<cl::Platform> platforms;
        try {
            cl::Platform::get(&platforms); // the loader reads the folder now, and never again
        } catch (const cl::Error &) {
            return false; // none of them has a platform
        }
        return true;
    }();
    return loaded;
}

} // namespace bowhist
