#include <bowhist/serve/copies.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

/// Differs where images came, went or changed.
std::string stamp_of(const LibraryStatus &status) {
    return fmt::format("{} {} {} {} {}", status.updated, status.images, status.files, status.gone,
                       status.skipped);
}

} // namespace

/// Counts, and stops the finder when the server ends.
class Copies::Progress : public Observer {
  public:
    explicit Progress(Copies &copies) : copies_(copies) {}
    void progress(std::string_view /*stage*/, std::size_t done, std::size_t total) override {
        copies_.done_ = done;
        copies_.total_ = total;
    }
    bool interrupted() const override {
        return copies_.is_ending_ || copies_.observer_.interrupted();
    }

  private:
    Copies &copies_;
};

Copies::Copies(const ServeRequest &request, const LiveLibrary &live, const Observer &observer)
    : request_(request), live_(live), observer_(observer) {}

Copies::~Copies() {
    is_ending_ = true;
    if (finder_.joinable()) finder_.join();
}

Copies::State Copies::get(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    const std::string wanted = stamp_of(live_.now()->status());
    if (!is_running_ && stamp_ != wanted) {
        if (finder_.joinable()) finder_.join();
        stamp_ = wanted;
        state_ = {};
        done_ = total_ = 0;
        is_running_ = true;
        finder_ = std::thread([this] { find(); });
    }
    is_found_.wait_for(lock, patience, [this] { return !is_running_; });
    State state = state_;
    state.done = done_;
    state.total = total_;
    return state;
}

void Copies::find() {
    State state;
    try {
        Progress progress(*this);
        const DuplicatesRequest wanted{.library = request_.library,
                                       .keep_checks = !request_.read_only};
        state.found = std::make_shared<const Duplicates>(find_duplicates(wanted, progress));
    } catch (const std::exception &error) {
        state.problem = error.what();
    }
    const std::lock_guard lock(mutex_);
    if (state.found)
        state.found = std::make_shared<const Duplicates>(without(*state.found, parted_));
    state_ = std::move(state);
    is_running_ = false;
    is_found_.notify_all();
}

void Copies::part(const LibraryImage &one, const LibraryImage &other) {
    const NotSame pair{std::minmax(one.hash, other.hash)};
    remember_not_same(request_.library, pair, 10);
    const std::lock_guard lock(mutex_);
    parted_.insert(pair.begin(), pair.end());
    if (state_.found)
        state_.found = std::make_shared<const Duplicates>(without(*state_.found, pair));
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
