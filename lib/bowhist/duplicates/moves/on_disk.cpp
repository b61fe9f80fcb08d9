#include <bowhist/duplicates/moves/on_disk.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/moves/file_facts.hpp>
#include <bowhist/library/file_places.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

using FileNumber = std::pair<dev_t, ino_t>;

struct FileState {
    bool is_there = false; ///< as a file
    bool is_as_read = false;
    FileNumber number = {};
};

FileState state_of(const LibraryImage &image) {
    struct stat now {};
    if (::stat(image.file().c_str(), &now) != 0 || !S_ISREG(now.st_mode)) return {};
    return {.is_there = true,
            .is_as_read = stamp_of(now) == image.stamp,
            .number = {now.st_dev, now.st_ino}};
}

/// Chosen images of a group, `first` in front, the others in their order.
/// REQUIRES: each image's `with` is chosen, or the old best, which has the bytes of `first`
DuplicateGroup part_of(DuplicateGroup &group, const std::vector<bool> &chosen, std::size_t first) {
    std::vector<std::size_t> place(group.images.size());
    DuplicateGroup part{.scene = group.scene, .images = {}};
    const auto add = [&](std::size_t i) {
        place[i] = part.images.size();
        part.images.push_back(std::move(group.images[i]));
    };
    add(first);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i] && i != first) add(i);
    for (Duplicate &image : part.images) image.with = place[image.with];
    if (first == 0) return part;
    LibraryImage best = std::move(part.images.front().image);
    part.images.front() = {.image = std::move(best), .kept = true};
    return part;
}

/// Leaves out images that are held against one that is left out. @param first  is never left out
void follow_chains(const DuplicateGroup &group, std::size_t first, std::vector<bool> &chosen) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const std::size_t with = group.images[i].with;
            if (!chosen[i] || i == first || with == 0 || chosen[with]) continue;
            chosen[i] = false;
            changed = true;
        }
    }
}

std::size_t count(const std::vector<bool> &chosen) {
    return static_cast<std::size_t>(std::ranges::count(chosen, true));
}

std::string staying(std::size_t copies) {
    return copies == 1 ? "1 copy stays" : fmt::format("{} copies stay", copies);
}

/// Looks at the files of all groups.
class Disk {
  public:
    Disk(FileLook look, Observer &observer) : look_(look), observer_(observer) {}

    std::optional<DuplicateGroup> there_of(DuplicateGroup group) {
        keep_outside(group);
        auto there = part_as_read(std::move(group));
        while (there && look_ == FileLook::bytes_of_kept && has_new_changes(*there))
            there = part_as_read(std::move(*there));
        if (there) keep_unproven(*there);
        return there;
    }

    bool has(const ApartImage &image) {
        const FileState state = state_of(image.image);
        if (!state.is_as_read) note(image.image, state);
        return state.is_as_read;
    }

    void report() const {
        if (outside_ > 0)
            observer_.warning(fmt::format("{}: a link leads out of the folder that was indexed",
                                          staying(outside_)));
        if (left_out_ == 0) return;
        std::string others;
        if (left_out_ > 1) others = fmt::format(", and {} more", left_out_ - 1);
        observer_.warning(
            fmt::format("{} left out. {}{}; bring the library up to date with \"bowhist index\"",
                        left_out_ == 1 ? "1 picture is" : fmt::format("{} pictures are", left_out_),
                        first_reason_, others));
    }

  private:
    /// Without what its files do not show any more; empty: the best is not there, or is alone.
    std::optional<DuplicateGroup> part_as_read(DuplicateGroup group) {
        std::vector<Duplicate> &images = group.images;
        std::vector<bool> chosen(images.size(), false);
        std::map<FileNumber, std::size_t> seen;
        for (std::size_t i = 0; i < images.size(); ++i) {
            observer_.stop_if_interrupted();
            FileState state = state_of(images[i].image);
            if (changed_.contains(images[i].image.file())) state.is_as_read = false;
            if (!state.is_as_read) {
                note(images[i].image, state);
                continue;
            }
            const auto [same, is_new] = seen.try_emplace(state.number, i);
            chosen[i] = is_new;
            images[same->second].kept |= images[i].kept;
        }
        std::size_t first = 0;
        while (first < images.size() &&
               !(chosen[first] && images[first].image.hash == images.front().image.hash))
            ++first;
        if (first == images.size()) return std::nullopt;
        follow_chains(group, first, chosen);
        if (count(chosen) < 2) return std::nullopt;
        return part_of(group, chosen, first);
    }

    /// Reads the files that stay for others, each once. @return whether one has other bytes
    bool has_new_changes(const DuplicateGroup &group) {
        bool is_changed = false;
        for (std::size_t i = 0; i < group.images.size(); ++i) {
            const auto kept = kept_for(group, i);
            if (!kept || *kept == i) continue;
            const LibraryImage &image = group.images[*kept].image;
            if (!read_.insert(image.file()).second) continue;
            observer_.stop_if_interrupted();
            if (is_as_read(image)) continue;
            changed_.insert(image.file());
            is_changed = true;
        }
        return is_changed;
    }

    /// A file behind a link that leaves the indexed folder is not the library's to move.
    void keep_outside(DuplicateGroup &group) {
        for (Duplicate &copy : group.images) {
            if (!is_spare(copy) || !leaves_its_root(copy.image)) continue;
            copy.kept = true;
            ++outside_;
        }
    }

    static void keep_unproven(DuplicateGroup &group) {
        for (std::size_t i = 0; i < group.images.size(); ++i)
            if (!kept_for(group, i)) group.images[i].kept = true;
    }

    void note(const LibraryImage &image, const FileState &state) {
        if (left_out_++ == 0)
            first_reason_ = fmt::format("{}: {}", fs::path(image.path),
                                        state.is_there ? "changed since it was indexed"
                                                       : "is not there any more");
    }

    const FileLook look_;
    Observer &observer_;
    std::set<std::string> read_, changed_; ///< files; `changed_` are no longer what was read
    std::size_t left_out_ = 0, outside_ = 0;
    std::string first_reason_;
};

/// Keeps copies whose raw files and videos have no twin.
class OriginalsKeeper {
  public:
    OriginalsKeeper(const Duplicates &found, Observer &observer)
        : twins_(found), observer_(observer) {}

    /// A kept image may stay for another one, so all are looked at again.
    void keep_in(DuplicateGroup &group) {
        while (keeps_more_in(group)) {
        }
    }

    void report() const {
        if (kept_ == 0) return;
        observer_.warning(fmt::format(
            "{}: a raw file or a video has the same name, and nothing beside the best picture has "
            "its bytes",
            staying(kept_)));
    }

  private:
    bool keeps_more_in(DuplicateGroup &group) {
        const std::size_t before = kept_;
        for (std::size_t i = 0; i < group.images.size(); ++i) {
            Duplicate &copy = group.images[i];
            if (!is_spare(copy)) continue;
            observer_.stop_if_interrupted();
            const auto kept = kept_for(group, i);
            std::vector<Twin> unused;
            if (kept &&
                twins_.find(files_.of(copy.image.file()), group.images[*kept].image, unused))
                continue;
            copy.kept = true;
            ++kept_;
        }
        return kept_ > before;
    }

    const Twins twins_;
    CompanionFiles files_;
    Observer &observer_;
    std::size_t kept_ = 0;
};

bool are_among(const Kinds &kinds, const std::set<std::string, std::less<>> &names) {
    const std::string text = kinds.text();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('+', at), text.size());
        if (!names.contains(std::string_view(text).substr(at, end - at))) return false;
        at = end + 1;
    }
    return true;
}

bool is_listed(const LibraryImage &image, const Kinds &kinds, const ListedCopies &wanted) {
    return std::min(image.width, image.height) >= wanted.least_side &&
           (wanted.kinds.empty() || are_among(kinds, wanted.kinds));
}

} // namespace

const std::vector<std::string_view> &kind_names() {
    static const std::vector<std::string_view> names{
        "bytes",    "pixels",    "reencoded", "resized",  "cropped",  "turned",
        "mirrored", "stretched", "recolored", "bordered", "overlaid", "scene",
        "frame",    "collage",   "ambiguous", "unproven"};
    return names;
}

Duplicates listed(Duplicates found, const ListedCopies &wanted) {
    std::vector<DuplicateGroup> groups;
    for (DuplicateGroup &group : found.groups) {
        std::vector<bool> chosen;
        for (const Duplicate &image : group.images)
            chosen.push_back(is_listed(image.image, image.kinds, wanted));
        chosen.front() = true;
        for (std::size_t i = 0; i < chosen.size(); ++i)
            for (std::size_t with = group.images[i].with; chosen[i] && !chosen[with];
                 with = group.images[with].with) {
                chosen[with] = true; // another one is held against it
                group.images[with].kept = true;
            }
        if (count(chosen) > 1) groups.push_back(part_of(group, chosen, 0));
    }
    found.groups = std::move(groups);
    std::erase_if(found.apart, [&](const ApartImage &image) {
        return !is_listed(image.image, image.kinds, wanted);
    });
    return found;
}

Duplicates on_disk(Duplicates found, FileLook look, Observer &observer) {
    Disk disk(look, observer);
    std::vector<DuplicateGroup> groups;
    for (DuplicateGroup &group : found.groups)
        if (auto there = disk.there_of(std::move(group))) groups.push_back(std::move(*there));
    found.groups = std::move(groups);
    std::erase_if(found.apart, [&](const ApartImage &image) { return !disk.has(image); });
    disk.report();
    OriginalsKeeper originals(found, observer);
    for (DuplicateGroup &group : found.groups) originals.keep_in(group);
    originals.report();
    return found;
}

Twins::Twins(const Duplicates &found) {
    for (const DuplicateGroup &group : found.groups)
        for (const Duplicate &image : group.images)
            if (is_spare(image)) spare_.insert(image.image.file());
}

bool Twins::find(const Companions &of_copy, const LibraryImage &kept,
                 std::vector<Twin> &twins) const {
    const fs::path folder = fs::path(kept.file()).parent_path();
    for (const fs::path &companion : of_copy.originals) {
        const auto twin = find_twin(companion, folder, [this](const fs::path &candidate) {
            return !spare_.contains(candidate);
        });
        if (!twin) return false;
        twins.push_back({companion, *twin});
    }
    return true;
}

} // namespace bowhist
