#include <bowhist/serve/copies.hpp>

#include <bowhist/library/library_busy.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace bowhist {

using namespace std::chrono_literals;

Copies::Copies(const ServeRequest &request, const LiveLibrary &live, const Observer &observer)
    : request_(request), live_(live),
      found_([this](Observer &progress) { return find(progress); }, observer) {}

Duplicates Copies::find(Observer &observer) {
    const DuplicatesRequest wanted{.library = request_.library, .keep_checks = !request_.read_only};
    const Duplicates found = find_duplicates(wanted, observer);
    const std::lock_guard lock(mutex_);
    return without(found, parted_);
}

std::shared_ptr<const std::string> Copies::text_of(const std::shared_ptr<const Duplicates> &found,
                                                   const std::function<std::string()> &make) {
    const std::lock_guard lock(text_mutex_);
    if (text_is_of_ != found) {
        text_ = std::make_shared<const std::string>(make());
        text_is_of_ = found;
    }
    return text_;
}

void Copies::part(const LibraryImage &one, const LibraryImage &other) {
    const NotSame pair{std::minmax(one.hash, other.hash)};
    {
        const std::unique_lock turn(writing_, 1s); // of this process: others wait for the library
        if (!turn) throw LibraryBusy(request_.library, "this server");
        remember_not_same(request_.library, pair, 1);
    }
    {
        const std::lock_guard lock(mutex_);
        parted_.insert(pair.begin(), pair.end());
    }
    found_.change([&](const Duplicates &found) { return without(found, pair); });
}

Duplicates without(const Duplicates &found, const NotSame &pairs) {
    Duplicates rest{.groups = {}, .images = found.images};
    for (const DuplicateGroup &group : found.groups) {
        std::vector<std::size_t> with;
        for (std::size_t i = 0; i < group.images.size(); ++i) {
            const std::size_t other = group.images[i].with;
            const bool differ = pairs.contains(
                std::minmax(group.images[i].image.hash, group.images[other].image.hash));
            with.push_back(differ ? i : other);
        }
        std::map<std::size_t, std::vector<std::size_t>> parts; // by what all lead to
        for (std::size_t i = 0; i < with.size(); ++i) {
            std::size_t root = i;
            while (with[root] != root) root = with[root];
            parts[root].push_back(i);
        }
        for (auto &[root, members] : parts) {
            if (members.size() < 2) continue;
            std::ranges::stable_partition(members,
                                          [&, first = root](std::size_t i) { return i == first; });
            DuplicateGroup part{.scene = group.scene, .images = {}};
            for (const std::size_t member : members) {
                Duplicate image = group.images[member];
                image.with = static_cast<std::size_t>(std::ranges::find(members, with[member]) -
                                                      members.begin());
                image.kept |= member == root;
                part.images.push_back(std::move(image));
            }
            rest.groups.push_back(std::move(part));
        }
    }
    return rest;
}

} // namespace bowhist
