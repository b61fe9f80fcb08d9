#include <bowhist/assign/choose/gpu_absence.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr std::chrono::hours lifetime{1}; // a driver that failed once may have recovered
constexpr std::size_t checksum_digits = 32;

seconds since_boot() {
    std::timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return seconds(now.tv_sec);
}

bool holds(const fs::path &file) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(file, error);
    if (error) return false;
    const auto age = fs::file_time_type::clock::now() - written;
    return age >= age.zero() && age < std::min<seconds>(lifetime, since_boot());
}

/// Drivers read variables of their own, which no list here could keep up with.
std::string environment() {
    std::string all;
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::string_view name = text.substr(0, text.find('='));
        if (name != "PWD" && name != "OLDPWD" && name != "SHLVL" && name != "_")
            all += fmt::format("{}\n", text);
    }
    return all;
}

std::vector<fs::path> sorted_entries(const fs::path &folder) {
    std::vector<fs::path> entries;
    std::error_code error; // a folder that is missing has none
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        entries.push_back(entry->path());
    std::ranges::sort(entries);
    return entries;
}

/// Nothing of links: /dev/stdin leads to whatever the input is. No time: a terminal's changes with
/// each key.
std::string describe_node(const fs::path &node) {
    std::error_code error;
    if (fs::is_symlink(node, error)) return {};
    return fmt::format("{} {}\n", node.string(), ::access(node.c_str(), R_OK | W_OK));
}

std::string describe_file(const fs::path &file) {
    std::error_code error;
    const auto written = fs::last_write_time(file, error).time_since_epoch().count();
    return fmt::format("{} {} {}\n", file.string(), error ? -1 : written,
                       ::access(file.c_str(), R_OK));
}

/// A file of one line, the library's name or path. Of a name the system's list of libraries knows.
std::string describe_driver(const fs::path &icd) {
    std::string library;
    std::getline(std::ifstream(icd), library);
    return describe_file(icd) + (library.starts_with('/') ? describe_file(library) : "");
}

std::string checksum_of(const GpuTraces &traces) {
    std::string all = environment();
    for (const fs::path &folder : traces.nodes)
        for (const fs::path &node : sorted_entries(folder)) all += describe_node(node);
    for (const fs::path &path : traces.drivers) {
        all += describe_file(path);
        for (const fs::path &file : sorted_entries(path))
            all += file.extension() == ".icd" ? describe_driver(file) : describe_file(file);
    }
    const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

GpuTraces GpuTraces::of_this_machine() {
    GpuTraces traces{{"/dev", "/dev/dri", "/dev/nvidia-caps"},
                     {"/etc/OpenCL/vendors", "/etc/ld.so.cache"}};
    for (const char *variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"})
        if (const char *path = std::getenv(variable)) traces.drivers.emplace_back(path);
    return traces;
}

GpuAbsence::GpuAbsence(const fs::path &folder, const GpuTraces &traces) {
    if (folder.empty()) return;
    folder_ = folder / "no-gpu";
    file_ = folder_ / checksum_of(traces);
}

bool GpuAbsence::is_known() const {
    return holds(file_);
}

void GpuAbsence::remember() const {
    if (folder_.empty()) return;
    std::error_code ignored; // then the file cannot be made, either
    fs::create_directories(folder_, ignored);
    for (const fs::path &other : sorted_entries(folder_))
        if (other.filename().native().size() == checksum_digits && !holds(other))
            fs::remove(other, ignored);
    std::ofstream(file_, std::ios::trunc);
}

void GpuAbsence::forget() const {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

} // namespace bowhist
