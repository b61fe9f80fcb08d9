#include <bowhist/duplicates/page_families.hpp>

#include <algorithm>

namespace bowhist {

std::uint32_t PageFamilies::family_of(std::uint32_t image) const {
    for (auto at = lower_.find(image); at != lower_.end(); at = lower_.find(image))
        image = at->second;
    return image;
}

bool PageFamilies::differ(std::uint32_t one, std::uint32_t other) const {
    const auto at = different_.find(family_of(one));
    return at != different_.end() && at->second.contains(family_of(other));
}

void PageFamilies::add_same(std::uint32_t one, std::uint32_t other) {
    const auto [stays, joins] = std::minmax({family_of(one), family_of(other)});
    if (stays == joins || differ(stays, joins)) return;
    lower_[joins] = stays;
    for (const std::uint32_t family : different_[joins]) {
        different_[family].erase(joins);
        different_[family].insert(stays);
        different_[stays].insert(family);
    }
    different_.erase(joins);
}

void PageFamilies::add_different(std::uint32_t one, std::uint32_t other) {
    one = family_of(one);
    other = family_of(other);
    if (one == other) return;
    different_[one].insert(other);
    different_[other].insert(one);
}

} // namespace bowhist
