#include <bowhist/inputs/folder_search.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/inputs/ignored.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/sidecar.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace bowhist {
namespace {

/// The folder that a link leads to.
class LinkTarget {
  public:
    explicit LinkTarget(std::filesystem::path link);

    /// Whether it leads to a folder above it, by where it lies or by the links that led to it.
    /// @param below its path below the folder that was named
    bool leads_back(std::filesystem::path below) const;

    /// Into a folder that is ignored where it lies (is_clutter()). Folders above both the link and
    /// its target do not count.
    bool leads_into_clutter() const;

  private:
    std::filesystem::path link_;
    std::filesystem::path target_; ///< without links; empty where it leads nowhere
    std::filesystem::path parent_; ///< of the link, without links
};

namespace fs = std::filesystem;

LinkTarget::LinkTarget(fs::path link) : link_(std::move(link)) {
    std::error_code error; // what leads nowhere is skipped when it is listed
    target_ = fs::canonical(link_, error);
    parent_ = fs::canonical(link_.parent_path(), error);
}

bool LinkTarget::leads_back(fs::path below) const {
    if (std::ranges::mismatch(target_, parent_).in1 == target_.end()) return true;
    std::error_code error;
    fs::path above = link_.parent_path();
    for (; !below.empty(); below = below.parent_path()) {
        if (fs::equivalent(above, target_, error)) return true;
        above = above.parent_path();
    }
    return false;
}

bool LinkTarget::leads_into_clutter() const {
    const auto own = std::ranges::mismatch(target_, parent_).in1;
    fs::path folder;
    bool is_own = false;
    for (auto name = target_.begin(); name != target_.end(); ++name) {
        folder /= *name;
        is_own = is_own || name == own;
        if (is_own && is_clutter(folder)) return true;
    }
    return false;
}

namespace fs = std::filesystem;

/// Belongs to a descriptor file and is read with it.
bool is_sidecar(const fs::path &path) {
    return path.extension() == ".json" && is_descriptor_file(path.stem());
}

/// An .npz names its own contents.
bool is_extracted(const fs::path &path) {
    std::error_code error; // a path that cannot be examined has no sidecar
    return holds_descriptors(path) &&
           (ending_of(path) == ".npz" || fs::exists(sidecar_path(path), error));
}

} // namespace

/// The search of one folder that was named. Walks one folder at a time, from a list of those still
/// to do, so that no depth can exhaust the stack. Links come last, in the order of their paths: a
/// folder is found where it lies, if it lies below the root, and by the same link each time, if it
/// does not.
class FolderSearch::Walk {
  public:
    Walk(const fs::path &root, FolderSearch &run, const fs::path &below = {})
        : run_(run), number_(run.images_.size()),
          named_(FolderSearch::identity(root)), to_do_{{root, below}} {}

    InputList search() && {
        const fs::path root = to_do_.back().path;
        while (const auto folder = next()) list(*folder);
        warn_of_loops();
        run_.images_.push_back(!found_.inputs.empty());
        // extracted beside their images, they would count each image twice
        if (found_.inputs.empty() && !beside_images_) std::swap(found_.inputs, extracted_);
        for (const Input &input : extracted_) ignore(input.path, kind_of(input.path));
        if (found_.inputs.empty() && found_.skipped == 0 && !met_searched_) warn_of_nothing(root);
        std::ranges::sort(found_.inputs, ByPath());
        return std::move(found_);
    }

    void visit(const std::function<void(ListedFolder &&)> &use) && {
        while (const auto folder = next()) {
            const std::size_t skipped = found_.skipped;
            if (!list(*folder)) continue;
            for (const Input &input : std::exchange(extracted_, {}))
                ignore(input.path, kind_of(input.path));
            ListedFolder listed{.path = folder->path,
                                .below = folder->below,
                                .names = {},
                                .is_whole = found_.skipped == skipped};
            for (const Input &file : found_.inputs)
                listed.names.push_back(file.path.filename().native());
            std::ranges::sort(listed.names);
            found_.inputs.clear();
            use(std::move(listed));
        }
        for (const auto &[kind, files] : found_.ignored) run_.ignored_files_[kind] += files;
        warn_of_loops();
    }

  private:
    struct ByPath {
        bool operator()(const Input &a, const Input &b) const {
            return a.path.native() < b.path.native();
        }
    };

    std::optional<Input> next() {
        if (to_do_.empty() && !take_link()) return std::nullopt;
        run_.observer_.stop_if_interrupted();
        Input folder = std::move(to_do_.back());
        to_do_.pop_back();
        return folder;
    }

    /// False where it was searched before.
    bool list(const Input &folder) {
        if (was_searched(folder.path)) {
            note(printable(folder.path) + ": this folder is searched already");
            return false;
        }
        std::error_code error;
        fs::directory_iterator entry(folder.path, error);
        while (!error && entry != fs::directory_iterator()) {
            take(*entry, folder.below / entry->path().filename());
            entry.increment(error);
        }
        if (error) skip(folder.path, error);
        return true;
    }

    /// Marks it as searched, too.
    bool was_searched(const fs::path &folder) {
        const Folder identity = FolderSearch::identity(folder);
        if (identity == Folder()) return false; // listing it says why
        if (identity != named_ && run_.left_out_.contains(identity)) return true;
        const auto [known, is_new] = run_.searched_.emplace(identity, number_);
        if (is_new) return false;
        met_searched_ = true;
        if (known->second < number_ && run_.images_[known->second]) beside_images_ = true;
        return true;
    }

    void take(const fs::directory_entry &entry, fs::path below) {
        std::error_code error; // a link that leads nowhere fails later, with its own line
        if (!entry.is_directory(error))
            take_file({entry.path(), std::move(below)});
        else if (run_.rules_.ignores_folder(entry.path(), below))
            ignore_folder(entry.path());
        else
            take_folder({entry.path(), std::move(below)}, entry.is_symlink(error));
    }

    void take_folder(Input folder, bool is_link) {
        warn_of_near_glob(folder, true);
        if (is_link)
            links_.insert(std::move(folder));
        else
            to_do_.push_back(std::move(folder));
    }

    void take_file(Input file) {
        const fs::path &path = file.path;
        const auto reason = run_.rules_.reason_to_ignore_file(file.below);
        if (!reason.empty()) return ignore(path, std::string(reason));
        warn_of_near_glob(file, false);
        if (run_.descriptors_only_ ? holds_descriptors(path) : has_image_ending(path))
            found_.inputs.push_back(std::move(file));
        else if (found_.inputs.empty() && is_extracted(path))
            extracted_.push_back(std::move(file));
        else if (!is_sidecar(path))
            ignore(path, kind_of(path));
    }

    /// Puts the next link's folder on the list. False when none is left.
    bool take_link() {
        while (!links_.empty()) {
            const Input link = std::move(links_.extract(links_.begin()).value());
            const LinkTarget target(link.path);
            if (target.leads_back(link.below)) {
                if (loops_++ == 0) first_loop_ = link.path;
            } else if (target.leads_into_clutter()) {
                ignore_folder(link.path);
            } else {
                to_do_.push_back(link);
                return true;
            }
        }
        return false;
    }

    void warn_of_loops() {
        if (loops_ == 0) return;
        const std::size_t others = loops_ - 1;
        run_.observer_.warning(fmt::format(
            "{}: this link leads back to a folder that it lies in; not followed{}", first_loop_,
            others == 0   ? ""
            : others == 1 ? ", nor is 1 other"
                          : fmt::format(", nor are {} others", others)));
    }

    /// Warns once of each glob of --exclude.
    void warn_of_near_glob(const Input &taken, bool is_folder) {
        const std::string *const glob = run_.rules_.near_glob(taken.below, is_folder);
        if (glob != nullptr && run_.near_globs_.insert(*glob).second)
            run_.observer_.warning(fmt::format("{}: not ignored by --exclude {}, which is spelt "
                                               "with other code points",
                                               taken.path, printable(*glob)));
    }

    void warn_of_nothing(const fs::path &root) {
        run_.observer_.warning(fmt::format(
            "{}: no {} in this folder{}", root,
            run_.descriptors_only_ ? "descriptor file" : "picture",
            ignored_hidden_ ? "; --hidden takes files and folders that begin with a dot" : ""));
    }

    void note(const std::string &line) { run_.observer_.note(line); }

    void ignore(const fs::path &file, const std::string &kind) {
        ++found_.ignored[kind];
        ignored_hidden_ = ignored_hidden_ || kind == "hidden";
        note("ignored " + printable(file));
    }

    void ignore_folder(const fs::path &folder) {
        run_.ignored_.emplace_back(FolderSearch::identity(folder), folder.filename());
        const bool is_hidden = folder.filename().native().starts_with('.') && !is_clutter(folder);
        ignored_hidden_ = ignored_hidden_ || is_hidden;
        note("ignored the folder " + printable(folder));
    }

    void skip(const fs::path &folder, const std::error_code &error) {
        ++found_.skipped;
        run_.observer_.skipped(printable(folder) +
                               ": this folder cannot be listed: " + error.message());
    }

    FolderSearch &run_;
    std::size_t number_; ///< of this search in the run
    Folder named_;
    std::vector<Input> to_do_;      ///< folders
    std::set<Input, ByPath> links_; ///< to folders, for when nothing else is left to do
    std::vector<Input> extracted_;  ///< descriptor files, in case there is no image
    bool met_searched_ = false;
    bool beside_images_ = false; ///< in a folder of an earlier search
    bool ignored_hidden_ = false;
    fs::path first_loop_;
    std::size_t loops_ = 0;
    InputList found_;
};

FolderSearch::FolderSearch(const InputSource &source, Observer &observer)
    : observer_(observer), rules_(source.excluded, source.hidden),
      descriptors_only_(source.descriptors_only) {}

FolderSearch::Folder FolderSearch::identity(const fs::path &path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino};
}

InputList FolderSearch::search(const fs::path &root) {
    return Walk(root, *this).search();
}

void FolderSearch::visit(const fs::path &root, const std::function<void(ListedFolder &&)> &use,
                         const fs::path &below) {
    Walk(root, *this, below).visit(use);
}

std::map<std::string, std::size_t> FolderSearch::ignored_folders() const {
    std::map<std::string, std::size_t> names;
    for (const auto &[folder, name] : ignored_)
        if (!searched_.contains(folder)) ++names[name];
    return names;
}

} // namespace bowhist
