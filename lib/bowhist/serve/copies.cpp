#include <bowhist/serve/copies.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/duplicates/moves/on_disk.hpp>
#include <bowhist/library/file/transaction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

using namespace std::chrono_literals;

/// An image that resembles nothing any more is not listed.
std::vector<ApartImage> apart_without(const Duplicates &found, const NotSame &pairs) {
    std::vector<ApartImage> rest = found.apart;
    for (ApartImage &apart : rest)
        std::erase_if(apart.with, [&](const LibraryImage &image) {
            return pairs.contains(std::minmax(apart.image.hash, image.hash));
        });
    std::erase_if(rest, [](const ApartImage &apart) { return apart.with.empty(); });
    return rest;
}

} // namespace

Copies::Copies(const ServeRequest &request, const LiveLibrary &live, const Observer &observer)
    : request_(request), live_(live), not_same_(read_not_same(request.library)),
      found_([this](Observer &progress) { return find(progress); }, observer) {}

Copies::State Copies::get(std::chrono::milliseconds patience) {
    std::string stamp;
    {
        const std::lock_guard lock(mutex_);
        take_in_others();
        stamp = fmt::format("{} {}", live_.now()->stamp(), turns_);
    }
    return found_.get(stamp, patience);
}

NotSame Copies::not_same() {
    const std::lock_guard lock(mutex_);
    take_in_others();
    return not_same_;
}

/// Takes in the pairs that other runs remembered and forgot. REQUIRES: mutex_
void Copies::take_in_others() {
    const auto snapshot = live_.now();
    if (seen_.lock() == snapshot) return;
    seen_ = snapshot;
    NotSame now, more;
    try {
        now = read_not_same(request_.library); // what this server wrote since is there, too
    } catch (const Error &) {
        return; // the library was taken away: it is served as it was
    }
    std::ranges::set_difference(now, not_same_, std::inserter(more, more.end()));
    for (const DifferentPair &pair : not_same_) {
        if (now.contains(pair)) continue;
        parted_.erase(pair);
        ++turns_;
    }
    parted_.insert(more.begin(), more.end());
    not_same_ = std::move(now);
    if (!more.empty()) found_.change([&](const Duplicates &found) { return without(found, more); });
}

Duplicates Copies::find(Observer &observer) {
    const DuplicatesRequest wanted{.library = request_.library, .keep_checks = !request_.read_only};
    const Duplicates found =
        on_disk(find_duplicates(wanted, observer), FileLook::listing, observer);
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

void Copies::write(const std::function<void()> &change) {
    const std::unique_lock turn(writing_, 1s); // of this process: others wait for the library
    if (!turn) throw LibraryBusy(request_.library, "this server");
    change();
}

void Copies::part(const LibraryImage &one, const LibraryImage &other) {
    const NotSame pair{std::minmax(one.hash, other.hash)};
    write([&] { remember_not_same(request_.library, pair, 1); });
    {
        const std::lock_guard lock(mutex_);
        parted_.insert(pair.begin(), pair.end());
        not_same_.insert(pair.begin(), pair.end());
    }
    found_.change([&](const Duplicates &found) { return without(found, pair); });
}

bool Copies::rejoin(const DifferentPair &pair) {
    bool was_known = false;
    write([&] {
        was_known = read_not_same(request_.library).contains(pair);
        if (was_known) forget_not_same(request_.library, {pair}, 1);
    });
    const std::lock_guard lock(mutex_);
    parted_.erase(pair);
    turns_ += not_same_.erase(pair); // 0 where it was taken in meanwhile
    return was_known;
}

Duplicates without(const Duplicates &found, const NotSame &pairs) {
    Duplicates rest{.groups = {}, .images = found.images, .apart = apart_without(found, pairs)};
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
