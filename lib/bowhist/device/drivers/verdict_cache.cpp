// A verdict is {"bad": [{"library", "icd", "end", "printed"}, ...], "missing": ["...", ...]}. A
// file that cannot be read as that is as good as none.

#include <bowhist/device/drivers/verdict_cache.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>

namespace bowhist {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::seconds;

constexpr std::chrono::hours good_lifetime{24};
constexpr std::chrono::minutes bad_lifetime{10}; // it may have been repaired by other means

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
