// Copies that could go, and what stays for each.
#include <bowhist/duplicates/duplicates.hpp>

namespace bowhist {

std::optional<std::size_t> kept_for(const DuplicateGroup &group, std::size_t image) {
    for (std::size_t steps = 0; steps < group.images.size(); ++steps) {
        if (!is_spare(group.images[image])) return image;
        image = group.images[image].with;
    }
    return std::nullopt;
}

std::size_t Duplicates::copies() const {
    std::size_t sum = 0;
    for (const DuplicateGroup &group : groups)
        for (const Duplicate &image : group.images) sum += is_spare(image);
    return sum;
}

std::uint64_t Duplicates::bytes() const {
    std::uint64_t sum = 0;
    for (const DuplicateGroup &group : groups)
        for (const Duplicate &image : group.images)
            if (is_spare(image)) sum += image.image.stamp.size;
    return sum;
}

} // namespace bowhist
