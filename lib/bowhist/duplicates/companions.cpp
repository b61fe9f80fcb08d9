#include <bowhist/duplicates/companions.hpp>

#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/picture.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> sidecar_endings{".xmp", ".aae", ".json"};
constexpr std::array<std::string_view, 30> raw_endings{
    ".cr2", ".cr3", ".crw", ".nef", ".nrw", ".arw", ".srf", ".sr2", ".dng", ".orf",
    ".rw2", ".rwl", ".raf", ".pef", ".ptx", ".srw", ".raw", ".3fr", ".fff", ".iiq",
    ".mos", ".mef", ".mrw", ".erf", ".kdc", ".dcr", ".dcs", ".k25", ".x3f", ".gpr"};
/// The moving part of a live photograph.
constexpr std::array<std::string_view, 2> video_endings{".mov", ".mp4"};
/// "IMG.jpg.supplemental-metadata.json" of an export by Google, which cuts long names.
constexpr std::string_view supplement = "supplemental-metadata";

template <typename Endings>
bool ends_in(const fs::path &name, const Endings &endings) {
    return std::ranges::find(endings, ending_of(name)) != endings.end();
}

bool is_picture(const std::string &name) {
    return has_image_ending(name) || ends_in(name, raw_endings);
}

bool is_original(const std::string &name) {
    return ends_in(name, raw_endings) || ends_in(name, video_endings);
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), to_lower);
    return text;
}

std::string stem_of(const std::string &name) {
    std::string stem = lower_case(fs::path(name).stem().native());
    if (ending_of(name) != ".json") return stem;
    const std::size_t dot = stem.rfind('.');
    if (dot != stem.npos && dot + 1 < stem.size() &&
        supplement.starts_with(std::string_view(stem).substr(dot + 1)))
        stem.resize(dot);
    return stem;
}

bool are_equal(std::istream &one, std::istream &other) {
    std::vector<char> block(1 << 20), other_block(block.size());
    do {
        one.read(block.data(), std::ssize(block));
        other.read(other_block.data(), std::ssize(other_block));
        if (one.gcount() != other.gcount() ||
            !std::equal(block.begin(), block.begin() + one.gcount(), other_block.begin()))
            return false;
    } while (one && other);
    return one.eof() && other.eof();
}

bool have_same_bytes(const fs::path &one, const fs::path &other) {
    std::ifstream first(one, std::ios::binary), second(other, std::ios::binary);
    return first && second && are_equal(first, second);
}

} // namespace

const CompanionFiles::Names &CompanionFiles::names_in(const fs::path &folder) {
    const auto [known, is_new] = folders_.try_emplace(folder);
    if (!is_new) return known->second;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
         !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        if (entry->is_regular_file(unknown)) names.push_back(entry->path().filename().native());
    }
    std::ranges::sort(names);
    for (std::string &name : names) known->second.emplace(stem_of(name), std::move(name));
    return known->second;
}

Companions CompanionFiles::of(const fs::path &picture) {
    const fs::path folder = picture.parent_path();
    const std::string own = picture.filename().native();
    const Names &names = names_in(folder);
    Companions found;
    for (const std::string &key : std::set{stem_of(own), lower_case(own)}) {
        // both "IMG.jpg" and "IMG.jpg.png" for "IMG.jpg.xmp"
        std::vector<fs::path> others;
        for (auto [name, end] = names.equal_range(key); name != end; ++name)
            if (name->second != own && is_picture(name->second))
                others.push_back(folder / name->second);
        for (auto [name, end] = names.equal_range(stem_of(key)); name != end; ++name)
            if (name->second != own && lower_case(name->second) == key)
                others.push_back(folder / name->second);
        for (auto [name, end] = names.equal_range(key); name != end; ++name) {
            if (name->second == own) continue;
            if (ends_in(name->second, sidecar_endings))
                found.sidecars.push_back({folder / name->second, others});
            else if (key == stem_of(own) && is_original(name->second))
                found.originals.push_back(folder / name->second);
        }
    }
    std::ranges::sort(found.sidecars, {}, &Sidecar::file);
    return found;
}

bool has_companions(const fs::path &picture) {
    return !CompanionFiles().of(picture).empty();
}

std::optional<fs::path> find_twin(const fs::path &file, const fs::path &folder,
                                  const std::function<bool(const fs::path &)> &may_be_used) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error) return std::nullopt;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
         !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        const fs::path candidate = folder / entry->path().filename();
        if (!entry->is_regular_file(unknown) || entry->file_size(unknown) != size || unknown)
            continue;
        if (fs::equivalent(candidate, file, unknown) || unknown || !may_be_used(candidate))
            continue;
        if (have_same_bytes(candidate, file)) return candidate;
    }
    return std::nullopt;
}

} // namespace bowhist
