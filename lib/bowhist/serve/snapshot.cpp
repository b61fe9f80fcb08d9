#include <bowhist/serve/snapshot.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <xxhash.h>

namespace bowhist {
namespace {

std::string stamp_of(const LibraryGroups &groups) {
    std::string text;
    for (const auto &[image, number] : groups.members) text += fmt::format("{} {},", image, number);
    for (const auto &[number, name] : groups.names)
        text += fmt::format("{} {} {},", number, name.size(), name);
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

} // namespace

Snapshot::Snapshot(const ServeRequest &request, Observer &observer)
    : library_(request.library), groups_(library_.groups()), stamp_of_groups_(stamp_of(groups_)),
      status_(status_of_library(request.library, false, observer)),
      search_(request.library, request.stream, request.level, observer) {}

std::string Snapshot::stamp() const {
    return fmt::format("{} {} {} {} {} {}", status_.run, status_.updated, status_.images,
                       status_.files, status_.gone, status_.skipped);
}

std::optional<LibraryImage> Snapshot::image(const std::string &path) {
    const std::lock_guard lock(mutex_);
    return library_.find(path);
}

std::optional<LibraryImage> Snapshot::image_of_hash(const std::string &hash) {
    const std::lock_guard lock(mutex_);
    const auto images = library_.images_of_hash(hash);
    return images.empty() ? std::nullopt : std::optional(images.front());
}

std::optional<LibraryImage> Snapshot::image(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    return library_.find(id);
}

std::string Snapshot::thumbnail(const LibraryImage &image) {
    const std::lock_guard lock(mutex_);
    try {
        return library_.thumbnail(image);
    } catch (const Error &) {
        return {};
    }
}

const std::vector<std::int64_t> &Snapshot::ids() {
    if (ids_.empty())
        library_.for_each_image([&](const LibraryImage &image) { ids_.push_back(image.id); });
    return ids_;
}

std::vector<LibraryImage> Snapshot::images(std::size_t first, std::size_t most) {
    const std::lock_guard lock(mutex_);
    std::vector<LibraryImage> images;
    for (std::size_t i = first; i < ids().size() && images.size() < most; ++i)
        if (auto image = library_.find(ids()[i])) images.push_back(std::move(*image));
    return images;
}

} // namespace bowhist
