#include <bowhist/library/file_places.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/library/file/content_hash.hpp>
#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pipeline/code_inputs.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;

std::string whole_path(const std::string &path) {
    if (path.starts_with('/')) return path;
    std::error_code error; // the working directory is gone: paths mean nothing else
    const fs::path here = fs::current_path(error);
    if (error) return path;
    if (path.empty()) return here.native();
    const fs::path whole = here / path;
    const fs::path plain = whole.lexically_normal(); // does not depend on what `..` leads through
    return (fs::equivalent(whole, plain, error) ? plain : whole).native();
}

std::string with_slash(std::string folder) {
    if (!folder.empty() && folder.back() != '/') folder += '/';
    return folder;
}

std::string opened_front(const RootRow &root) {
    if (root.path.starts_with('/')) return with_slash(root.path);
    std::error_code error;
    const bool is_here = root.place.empty() || whole_path(root.path) == root.place ||
                         fs::equivalent(whole_path(root.path), root.place, error);
    return with_slash(is_here ? root.path : root.place);
}

FilePlaces::FilePlaces(const std::vector<RootRow> &roots) {
    for (const RootRow &root : roots) {
        fronts_[root.id] = opened_front(root);
        if (root.path.empty()) of_files_ = root.id;
    }
}

std::size_t FilePlaces::front_bytes(RowId root) const {
    return root == of_files_ ? 0 : fronts_.at(root).size();
}

std::string FilePlaces::path(Catalogue &catalogue, const FileRow &file) const {
    const Catalogue::Folder in = catalogue.folder_row(file.folder);
    return folder(in.root, in.path) + file.name;
}

bool leaves_its_root(const LibraryImage &image) {
    if (image.root_bytes == 0) return false;
    std::error_code error; // what is not there cannot be moved
    const fs::path root = fs::canonical(image.file().substr(0, image.root_bytes), error);
    const fs::path file = fs::canonical(image.file(), error);
    return !error && !file.native().starts_with(with_slash(root.native()));
}

bool shows_its_row(const LibraryImage &image) {
    return stamp_of(image.file()) == image.stamp && !leaves_its_root(image);
}

bool is_replaced(const LibraryImage &image, const std::string &path) {
    struct stat now {};
    if (::stat(path.c_str(), &now) != 0 || !S_ISREG(now.st_mode)) return false;
    const FileStamp stamp = stamp_of(path);
    if (stamp.size != image.stamp.size) return true;
    const auto changed = std::int64_t{now.st_ctim.tv_sec} * 1'000'000'000 + now.st_ctim.tv_nsec;
    if (stamp == image.stamp && image.changed.value_or(changed) == changed) return false;
    try {
        return content_hash(ImageBytes(path, {}).bytes()) != image.hash;
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return false;
    }
}

std::string FilePlaces::folder(RowId root, std::string_view below) const {
    const auto front = fronts_.find(root);
    if (front == fronts_.end() || below.starts_with('/')) return std::string(below);
    return front->second + std::string(below);
}

} // namespace bowhist
