#include "app/group_folders.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pipeline/ignored.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <set>
#include <system_error>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed unless it gets its name.
class Unfinished {
  public:
    explicit Unfinished(const fs::path &destination)
        : destination_(destination), folder_(destination) {
        if (!folder_.has_filename()) folder_ = folder_.parent_path();
        folder_ += fmt::format(".{}.tmp", ::getpid());
        fs::create_directories(folder_);
    }
    ~Unfinished() {
        std::error_code ignored;
        if (!finished_) fs::remove_all(folder_, ignored);
    }
    Unfinished(const Unfinished &) = delete;
    Unfinished &operator=(const Unfinished &) = delete;

    const fs::path &folder() const { return folder_; }

    void finish() {
        fs::rename(folder_, destination_);
        finished_ = true;
    }

  private:
    fs::path destination_;
    fs::path folder_;
    bool finished_ = false;
};

/// The names that a folder has.
class Names {
  public:
    fs::path take(const fs::path &image) {
        fs::path name = image.filename();
        for (int number = 2; !taken_.insert(name.native()).second; ++number) {
            name = image.stem();
            name += fmt::format("-{}", number);
            name += image.extension();
        }
        return name;
    }

  private:
    std::set<std::string> taken_;
};

std::string name_of_group(std::int32_t group) {
    return group < 0 ? "nowhere" : fmt::format("group-{}", group);
}

void fill(const GroupFolders &wanted, const fs::path &folder,
          const std::vector<std::string> &images, const Grouping &grouping, Observer &observer) {
    std::vector<Names> names(grouping.groups + 1); // the first is -1's
    std::size_t missing = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        observer.stop_if_interrupted();
        const fs::path image = fs::absolute(images[i]);
        if (!fs::exists(image)) {
            if (missing++ == 0)
                observer.warning(
                    fmt::format("{}: is not there, so {} lacks it", image, wanted.folder));
            continue;
        }
        const fs::path place = folder / name_of_group(grouping.group[i]);
        fs::create_directory(place);
        const fs::path entry =
            place / names[static_cast<std::size_t>(grouping.group[i] + 1)].take(image);
        if (wanted.copies)
            fs::copy_file(image, entry);
        else
            fs::create_symlink(image, entry);
        observer.progress("pictures", i + 1, images.size());
    }
    if (missing > 1) observer.warning(fmt::format("{} pictures in all are not there", missing));
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
    if (fs::is_empty(wanted.folder, unknown)) return;
    throw Error(Fault::output,
                fmt::format("{}: is there and not empty; name a new folder", wanted.folder));
}

void write_group_folders(const GroupFolders &wanted, const std::vector<std::string> &images,
                         const Grouping &grouping, Observer &observer) {
    try {
        Unfinished unfinished(wanted.folder);
        fill(wanted, unfinished.folder(), images, grouping, observer);
        unfinished.finish();
    } catch (const fs::filesystem_error &error) {
        throw Error(Fault::output,
                    fmt::format("{}: cannot be made: {}", wanted.folder, error.code().message()));
    }
}

} // namespace bowhist::app
