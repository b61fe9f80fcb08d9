#include "app/cluster/group_folders.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/inputs/ignored.hpp>

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <system_error>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// The names that a folder has.
class Names {
  public:
    fs::path take(const fs::path &image) {
        fs::path name = image.filename();
        if (taken_.insert(name.native()).second) return name;
        for (int &number = last_.try_emplace(image.filename().native(), 1).first->second;;) {
            name = image.stem();
            name += fmt::format("-{}", ++number);
            name += image.extension();
            if (taken_.insert(name.native()).second) return name;
        }
    }

  private:
    std::set<std::string> taken_;
    std::map<std::string, int> last_; ///< number that each name got that was taken
};

/// A name that a user gave, as part of a folder's: without slashes and control characters, whole
/// characters of UTF-8, 150 bytes at most.
std::string as_file_name(std::string name) {
    constexpr std::size_t most = 150;
    const auto is_inside = [](char byte) { return (byte & 0xC0) == 0x80; }; // of a character
    std::size_t length = std::min(most, name.size());
    while (length > 0 && length < name.size() && is_inside(name[length])) --length;
    name.resize(length);
    std::ranges::replace_if(
        name,
        [](char byte) {
            return byte == '/' || byte == '\\' ||
                   std::iscntrl(static_cast<unsigned char>(byte)) != 0;
        },
        '_');
    return name;
}

/// Their numbers make them differ.
std::string name_of_group(std::int32_t group, const Grouping &grouping) {
    if (group < 0) return "nowhere";
    const auto number = static_cast<std::size_t>(group);
    const std::string name =
        number < grouping.names.size() ? as_file_name(grouping.names[number]) : "";
    return fmt::format("group-{}{}{}", group, name.empty() ? "" : "-", name);
}

std::size_t fill(const GroupFolders &wanted, const fs::path &folder,
                 const std::vector<std::string> &images, const std::set<std::string> &outside,
                 const Grouping &grouping, Observer &observer) {
    std::map<std::int32_t, Names> names; // of each group's folder
    std::size_t missing = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        observer.stop_if_interrupted();
        const fs::path image = fs::absolute(images[i]);
        if (!fs::exists(image)) {
            observer.skipped(fmt::format("{}: is not there, so {} lacks it", image, wanted.folder));
            ++missing;
            continue;
        }
        if (wanted.copies && outside.contains(images[i])) {
            observer.skipped(fmt::format("{}: a link leads out of the folder that was indexed, so "
                                         "{} lacks it",
                                         image, wanted.folder));
            ++missing;
            continue;
        }
        const fs::path place = folder / name_of_group(grouping.group[i], grouping);
        fs::create_directory(place);
        const fs::path entry = place / names[grouping.group[i]].take(image);
        if (wanted.copies)
            fs::copy_file(image, entry);
        else
            fs::create_symlink(image, entry);
        observer.progress("pictures", i + 1, images.size());
    }
    return missing;
}

[[noreturn]] void fail(const GroupFolders &wanted, const fs::filesystem_error &error) {
    throw Error(Fault::output,
                fmt::format("{}: cannot be made: {}", wanted.folder, error.code().message()));
}

dev_t device_of(const fs::path &folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 ? status.st_dev : 0;
}

/// Whether the next run finds `folder` in the input: it lies there, and no rule ignores it.
bool will_be_found(const fs::path &folder, const fs::path &input, const IgnoreRules &rules) {
    std::error_code unknown;
    if (!fs::is_directory(input, unknown)) return false;
    const fs::path whole = fs::weakly_canonical(input, unknown);
    const fs::path inside = fs::weakly_canonical(folder, unknown).lexically_relative(whole);
    if (inside.empty() || *inside.begin() == ".." || inside == ".") return false;
    fs::path below;
    for (const fs::path &part : inside) {
        if (part.empty()) continue; // behind a slash
        below /= part;
        if (rules.ignores_folder(whole / below, below)) return false;
    }
    return true;
}

} // namespace

void warn_of_next_run(const GroupFolders &wanted, const InputSource &inputs, Observer &observer) {
    const IgnoreRules rules(inputs.excluded, inputs.hidden);
    for (const fs::path input : inputs.arguments) {
        if (!will_be_found(wanted.folder, input, rules)) continue;
        observer.warning(fmt::format("{} lies in {}, so another run takes its pictures, too; give "
                                     "it another place, or give such runs --exclude",
                                     wanted.folder, input));
        return;
    }
}

void require_empty(const GroupFolders &wanted) {
    std::error_code unknown;
    if (!fs::exists(wanted.folder, unknown)) return;
    if (!fs::is_directory(wanted.folder, unknown))
        throw Error(Fault::output, fmt::format("{}: is no folder; name a new one", wanted.folder));
    if (!fs::is_empty(wanted.folder, unknown))
        throw Error(Fault::output,
                    fmt::format("{}: is there and not empty; name a new folder", wanted.folder));
    if (fs::equivalent(wanted.folder, fs::current_path(unknown), unknown) ||
        device_of(wanted.folder) != device_of(wanted.folder / ".."))
        throw Error(Fault::output, fmt::format("{}: cannot be replaced by another folder; name a "
                                               "new one in it",
                                               wanted.folder));
}

GroupFoldersWriter::GroupFoldersWriter(const GroupFolders &wanted) try
    : wanted_(wanted), unfinished_(wanted.folder) {
} catch (const fs::filesystem_error &error) {
    fail(wanted, error);
}

std::size_t GroupFoldersWriter::fill(const std::vector<std::string> &images,
                                     const std::set<std::string> &outside, const Grouping &grouping,
                                     Observer &observer) {
    try {
        return app::fill(wanted_, unfinished_.path(), images, outside, grouping, observer);
    } catch (const fs::filesystem_error &error) {
        fail(wanted_, error);
    }
}

void GroupFoldersWriter::appear() {
    try {
        unfinished_.take_place();
    } catch (const fs::filesystem_error &error) {
        fail(wanted_, error);
    }
}

} // namespace bowhist::app
