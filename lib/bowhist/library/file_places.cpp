#include <bowhist/library/file_places.hpp>

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
    for (const RootRow &root : roots) fronts_[root.id] = opened_front(root);
}

std::string FilePlaces::folder(RowId root, std::string_view below) const {
    const auto front = fronts_.find(root);
    if (front == fronts_.end() || below.starts_with('/')) return std::string(below);
    return front->second + std::string(below);
}

} // namespace bowhist
