#include <bowhist/core/folder_labels.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace bowhist {

std::string folder_of(const std::string &image) {
    return std::filesystem::absolute(image).parent_path().filename().native();
}

FolderLabels::FolderLabels(const std::vector<std::string> &images) {
    std::set<std::string> names;
    for (const std::string &image : images) names.insert(folder_of(image));
    names_.assign(names.begin(), names.end());
}

std::size_t FolderLabels::of(const std::string &image) const {
    const auto found = std::ranges::lower_bound(names_, folder_of((below_ / image).native()));
    return static_cast<std::size_t>(found - names_.begin());
}

} // namespace bowhist
