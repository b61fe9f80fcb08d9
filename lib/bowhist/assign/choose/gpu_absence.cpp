#include <bowhist/assign/choose/gpu_absence.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/input_file.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours lifetime{1}; // a driver that failed once may have recovered

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

/// A terminal's time changes with each key, so a node has none here.
std::string describe_node(const fs::path &node) {
    return fmt::format("{} {}\n", node.string(), ::access(node.c_str(), R_OK | W_OK));
}

std::string describe_file(const fs::path &file) {
    std::error_code error;
    const auto written = fs::last_write_time(file, error).time_since_epoch().count();
    return fmt::format("{} {}\n", file.string(), error ? -1 : written);
}

std::string fingerprint_of(const GpuTraces &traces) {
    std::string all = environment();
    for (const fs::path &folder : traces.nodes)
        for (const fs::path &node : sorted_entries(folder)) all += describe_node(node);
    for (const fs::path &path : traces.drivers) {
        all += describe_file(path);
        for (const fs::path &file : sorted_entries(path)) all += describe_file(file);
    }
    const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

GpuTraces GpuTraces::of_this_machine() {
    GpuTraces traces{{"/dev", "/dev/dri"}, {"/etc/OpenCL/vendors", "/etc/ld.so.cache"}};
    for (const char *variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
        if (const char *folder = std::getenv(variable)) traces.drivers.emplace_back(folder);
    return traces;
}

GpuAbsence::GpuAbsence(const fs::path &folder, const GpuTraces &traces)
    : file_(folder.empty() ? fs::path() : folder / "no-gpu"),
      fingerprint_(file_.empty() ? std::string() : fingerprint_of(traces)) {}

bool GpuAbsence::is_known() const {
    std::error_code error;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file_, error);
    if (error || age < age.zero() || age > lifetime) return false;
    try {
        InputFile file(file_, Fault::input);
        return file.size() == fingerprint_.size() && file.read_text() == fingerprint_;
    } catch (const Error &) {
        return false;
    }
}

void GpuAbsence::remember() const {
    if (file_.empty()) return;
    std::error_code ignored; // then writing the file fails, too
    fs::create_directories(file_.parent_path(), ignored);
    try {
        AtomicFile file(file_);
        file.write(fingerprint_);
        file.commit();
    } catch (const Error &) {
    }
}

} // namespace bowhist
