// A cache of PoCL's: XX/REST_OF_HASH/program.bc, LLVM's bitcode, and beside it, some folders down,
// KERNEL.so for each kernel and size of group. A power cut leaves files that are cut off or full of
// zeros.

#include <bowhist/device/pocl_cache.hpp>

#include <array>
#include <cstring>
#include <elf.h>
#include <fstream>

namespace bowhist {
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
