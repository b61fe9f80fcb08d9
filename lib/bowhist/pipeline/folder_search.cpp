#include <bowhist/pipeline/inputs.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/tables/descriptor_file.hpp>
#include <bowhist/tables/sidecar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Belongs to a descriptor file and is read with it.
bool is_sidecar(const fs::path &path) {
    return path.extension() == ".json" && is_descriptor_file(path.stem());
}

/// An .npz tells by itself what it holds.
bool is_extracted(const fs::path &path) {
    std::error_code error; // what cannot be looked at has no sidecar
    return holds_descriptors(path) &&
           (ending_of(path) == ".npz" || fs::exists(sidecar_path(path), error));
}

/// macOS keeps a file's attributes beside it, where the file system has no place for them.
bool is_apple_double(const fs::path &path) {
    return path.filename().native().starts_with("._");
}

/// A word for the last line of a run.
std::string kind_of(const fs::path &path) {
    if (is_apple_double(path)) return "._*";
    const std::string ending = ending_of(path);
    if (ending.size() < 2) return "no ending";
    constexpr std::size_t longest = 8;
    const bool plain =
        ending.size() <= longest &&
        ending.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", 1) == std::string::npos;
    return plain ? ending : "others";
}

/// Whether a link leads to a folder above it, by where it lies or by the links that led to it.
bool leads_back(const Input &link) {
    std::error_code error;
    const fs::path target = fs::canonical(link.path, error);
    const fs::path parent = fs::canonical(link.path.parent_path(), error);
    if (std::ranges::mismatch(target, parent).in1 == target.end()) return true;
    fs::path above = link.path.parent_path();
    for (fs::path below = link.below; !below.empty(); below = below.parent_path()) {
        if (fs::equivalent(above, target, error)) return true;
        above = above.parent_path();
    }
    return false;
}

/// Walks one folder at a time, from a list of those still to do, so that no depth can exhaust the
/// stack. Links come last, in the order of their paths: a folder is found where it lies, if it lies
/// below the root, and by the same link each time, if it does not.
class FolderSearch {
  public:
    FolderSearch(const fs::path &root, bool descriptors_only, Observer &observer)
        : observer_(observer), descriptors_only_(descriptors_only), to_do_{{root, {}}} {}

    InputList run() && {
        while (!to_do_.empty() || take_link()) {
            observer_.stop_if_interrupted();
            const Input folder = std::move(to_do_.back());
            to_do_.pop_back();
            search(folder);
        }
        tell_loops();
        // extracted beside their pictures, they would count each picture twice
        if (found_.inputs.empty()) std::swap(found_.inputs, extracted_);
        for (const Input &input : extracted_) pass_over(input.path);
        std::ranges::sort(found_.inputs, {}, by_path);
        return std::move(found_);
    }

  private:
    static const std::string &by_path(const Input &input) { return input.path.native(); }
    struct ByPath {
        bool operator()(const Input &a, const Input &b) const { return by_path(a) < by_path(b); }
    };

    void search(const Input &folder) {
        struct stat status {};
        if (::stat(folder.path.c_str(), &status) == 0 &&
            !searched_.emplace(status.st_dev, status.st_ino).second)
            return observer_.note(printable(folder.path) + ": this folder is searched already");
        std::error_code error;
        fs::directory_iterator entry(folder.path, error);
        while (!error && entry != fs::directory_iterator()) {
            take(*entry, folder.below / entry->path().filename());
            entry.increment(error);
        }
        if (error) skip(folder.path, error);
    }

    void take(const fs::directory_entry &entry, fs::path below) {
        const fs::path &path = entry.path();
        std::error_code error; // a link that leads nowhere fails later, with its own line
        if (entry.is_directory(error)) {
            if (entry.is_symlink(error))
                links_.insert({path, std::move(below)});
            else
                to_do_.push_back({path, std::move(below)});
        } else if (is_apple_double(path)) {
            pass_over(path);
        } else if (descriptors_only_ ? holds_descriptors(path) : has_picture_ending(path)) {
            found_.inputs.push_back({path, std::move(below)});
        } else if (found_.inputs.empty() && is_extracted(path)) {
            extracted_.push_back({path, std::move(below)});
        } else if (!is_sidecar(path)) {
            pass_over(path);
        }
    }

    /// Puts the next link's folder on the list. False when none is left.
    bool take_link() {
        while (!links_.empty()) {
            const Input link = std::move(links_.extract(links_.begin()).value());
            if (!leads_back(link)) {
                to_do_.push_back(link);
                return true;
            }
            if (loops_++ == 0) first_loop_ = link.path;
        }
        return false;
    }

    void tell_loops() {
        if (loops_ == 0) return;
        const std::size_t others = loops_ - 1;
        observer_.warning(
            fmt::format("{}: this link leads back to a folder that it lies in; not followed{}",
                        printable(first_loop_),
                        others == 0   ? ""
                        : others == 1 ? ", nor is 1 other"
                                      : fmt::format(", nor are {} others", others)));
    }

    void pass_over(const fs::path &file) {
        ++found_.passed_over[kind_of(file)];
        observer_.note("passed over " + printable(file));
    }

    void skip(const fs::path &folder, const std::error_code &error) {
        ++found_.skipped;
        observer_.skipped(printable(folder) + ": this folder cannot be listed: " + error.message());
    }

    Observer &observer_;
    bool descriptors_only_;
    std::vector<Input> to_do_;      ///< folders
    std::set<Input, ByPath> links_; ///< to folders, for when nothing else is left to do
    std::set<std::pair<dev_t, ino_t>> searched_;
    std::vector<Input> extracted_; ///< descriptor files, in case there is no picture
    fs::path first_loop_;
    std::size_t loops_ = 0;
    InputList found_;
};

} // namespace

InputList search_folder(const fs::path &root, bool descriptors_only, Observer &observer) {
    return FolderSearch(root, descriptors_only, observer).run();
}

} // namespace bowhist
