#include <bowhist/duplicates/folder_of_images.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Without a slash at its end.
std::string normal(const fs::path &path) {
    std::string text = path.lexically_normal().native();
    while (text.ends_with('/')) text.pop_back();
    return text;
}

fs::path from_root(const fs::path &path) {
    std::error_code unknown; // where the working folder is gone
    const fs::path result = fs::absolute(path, unknown);
    return unknown ? path : result;
}

/// Without links.
fs::path resolved(const fs::path &path) {
    std::error_code unknown;
    const fs::path result = fs::weakly_canonical(path, unknown);
    return unknown ? path : result;
}

bool lies_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

} // namespace

FolderOfImages::FolderOfImages(const std::string &folder) : as_given_(normal(folder)) {
    if (!folder.empty())
        absolute_ = {normal(from_root(folder)), normal(from_root(resolved(folder)))};
}

bool FolderOfImages::holds(const LibraryImage &image) const {
    if (absolute_.empty()) return false;
    if (lies_below(normal(image.path), as_given_)) return true;
    const std::string file = normal(from_root(image.file()));
    return std::ranges::any_of(absolute_,
                               [&](const std::string &folder) { return lies_below(file, folder); });
}

} // namespace bowhist
