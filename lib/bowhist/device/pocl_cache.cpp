#include <bowhist/device/pocl_cache.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/io/own_folders.hpp>

#include <elf.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>

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

/// The place of a folder for this run: the first that PoCL can work with, if there is one. Folders
/// in memory can be written to where nothing else can.
fs::path place_of_scratch() {
    const fs::path temporary = ScratchFolder::temporary();
    std::error_code missing;
    for (const fs::path &place :
         {temporary, variable("XDG_RUNTIME_DIR"), fs::path(ScratchFolder::in_memory)})
        if (fs::is_directory(place, missing) && !pocl_folder_fault(place)) return place;
    return temporary;
}

PoclCache choose_cache() {
    const fs::path usual = usual_folder();
    const auto fault = usual.empty() ? "" : pocl_folder_fault(usual);
    if (!fault) return {usual, usual, {}};
    static const ScratchFolder scratch(place_of_scratch());
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
    const auto &[folder, usual, complaint] = pocl_cache();
    const auto fault = folder.empty() ? "" : pocl_folder_fault(folder);
    if (!fault) return std::nullopt;
    const std::string first =
        usual.empty() ? "it has no folder for kernels, as HOME is not set"
                      : fmt::format("its folder for kernels, {}, {}", usual,
                                    pocl_folder_fault(usual).value_or("cannot be used"));
    const std::string second =
        folder.empty() ? fmt::format("none can be made in TMPDIR or {}", ScratchFolder::in_memory)
                       : fmt::format("the one for this run, {}, {}", folder, *fault);
    return fmt::format("{}, and {}; set POCL_CACHE_DIR to a folder with room that is not mounted "
                       "noexec",
                       first, second);
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

// A cache of PoCL's: XX/REST_OF_HASH/program.bc, LLVM's bitcode, and beside it, some folders down,
// KERNEL.so for each kernel and size of group. A power cut leaves files that are cut off or full of
// zeros.
namespace {

namespace fs = std::filesystem;

template <typename Value>
std::optional<Value> value_at(std::ifstream &file, std::uint64_t offset) {
    std::array<char, sizeof(Value)> bytes = {};
    if (!file.seekg(static_cast<std::streamoff>(offset)).read(bytes.data(), bytes.size()))
        return std::nullopt;
    Value value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

/// The table of sections is an ELF file's end, and names one of them.
bool is_whole_library(std::ifstream &file, std::uint64_t size) {
    const auto header = value_at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (header->e_ident[EI_CLASS] != ELFCLASS64) return true; // another machine's: PoCL knows
    const std::uint64_t table = std::uint64_t{header->e_shnum} * sizeof(Elf64_Shdr);
    if (header->e_shoff > size || table > size - header->e_shoff) return false;
    if (header->e_shstrndx >= header->e_shnum) return table == 0;
    const auto names = value_at<Elf64_Shdr>(
        file, header->e_shoff + std::uint64_t{header->e_shstrndx} * sizeof(Elf64_Shdr));
    return names && names->sh_type == SHT_STRTAB;
}

/// Bitcode is a row of blocks: a word that begins one, its length in words, its content.
bool is_whole_bitcode(std::ifstream &file, std::uint64_t size) {
    constexpr std::uint32_t magic = 0xdec04342;
    if (value_at<std::uint32_t>(file, 0) != magic) return false;
    std::uint64_t offset = sizeof magic;
    while (offset < size) {
        const auto words = value_at<std::uint32_t>(file, offset + sizeof(std::uint32_t));
        if (!words || *words == 0) return false;
        offset += 2 * sizeof(std::uint32_t) + std::uint64_t{*words} * sizeof(std::uint32_t);
    }
    return offset == size;
}

bool is_whole(const fs::directory_entry &entry) {
    std::error_code error;
    const bool is_library = entry.path().extension() == ".so";
    if (!is_library && entry.path().filename() != "program.bc") return true;
    std::ifstream file(entry.path(), std::ios::binary);
    if (!file) return false; // PoCL cannot read it, either, and would abort
    const std::uint64_t size = entry.file_size(error);
    return !error && (is_library ? is_whole_library(file, size) : is_whole_bitcode(file, size));
}

bool is_whole_program(const fs::path &folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (!is_whole(*entry)) return false;
    return true;
}

std::vector<fs::path> folders_in(const fs::path &folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->is_directory(error)) found.push_back(entry->path());
    return found;
}

} // namespace

std::size_t remove_damaged_programs(const fs::path &cache) {
    std::size_t removed = 0;
    std::error_code ignored; // what cannot be removed is left
    for (const fs::path &start : folders_in(cache)) {
        if (start.filename().native().size() != 2) continue;
        for (const fs::path &program : folders_in(start))
            if (!is_whole_program(program) && fs::remove_all(program, ignored) > 0) ++removed;
    }
    return removed;
}

} // namespace bowhist
