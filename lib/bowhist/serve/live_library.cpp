#include <bowhist/serve/live_library.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <malloc.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <regex>

namespace bowhist {
namespace {

std::string stamp_of(const LibraryGroups &groups) {
    std::string text;
    for (const auto &[image, number] : groups.members) text += fmt::format("{} {},", image, number);
    for (const auto &[number, name] : groups.names)
        text += fmt::format("{} {} {},", number, name.size(), name);
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

/// Reasons without what they quote of a file, and without absolute paths: both are for the owner.
std::vector<SkippedFile> without_quotes(std::vector<SkippedFile> &&skips) {
    static const std::regex quote(" that begins with '.*'");
    static const std::regex path("(^|[ (:'])/[^ ,;:)']*");
    for (SkippedFile &skip : skips)
        skip.reason = std::regex_replace(std::regex_replace(skip.reason, quote, ""), path, "$1...");
    return std::move(skips);
}

} // namespace

Snapshot::Snapshot(const ServeRequest &request, Observer &observer)
    : library_(request.library), groups_(library_.groups()), stamp_of_groups_(stamp_of(groups_)),
      status_(status_of_library(request.library, false, observer)),
      skips_(without_quotes(skips_of_library(request.library, most_skips))),
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

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Clock::duration patience = 250ms;
constexpr int share = 10; ///< of the time, at most, in which a changing library is opened
constexpr int most_tries = 5;

/// The program keeps what it frees (app/command/run.cpp), as a run that ends soon may. A server
/// would keep the memory of several states.
void end(const Snapshot *snapshot) {
    delete snapshot; // NOLINT(cppcoreguidelines-owning-memory)
    ::malloc_trim(0);
}

} // namespace

LiveLibrary::LiveLibrary(const ServeRequest &request, Observer &observer)
    : request_(request), observer_(observer), watch_(request.library), now_(opened()) {
    watcher_ = std::thread([this] { watch(); });
}

LiveLibrary::~LiveLibrary() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    ends_.notify_one();
    watcher_.join();
}

std::shared_ptr<Snapshot> LiveLibrary::now() const {
    const std::lock_guard lock(mutex_);
    return now_;
}

/// Its parts are opened one after the other: again, where another run wrote meanwhile.
std::shared_ptr<Snapshot> LiveLibrary::opened() {
    for (int i = 1;; ++i) {
        std::shared_ptr<Snapshot> snapshot(new Snapshot(request_, observer_), end);
        if (!watch_.has_changed() || i == most_tries) return snapshot;
    }
}

void LiveLibrary::take_state() {
    auto snapshot = opened();
    {
        const std::lock_guard lock(mutex_);
        now_.swap(snapshot);
    }
    observer_.note(fmt::format("the library changed: {} images", now()->status().images));
    is_log_in_ = false;
}

/// Waits for the next look while a request still reads the state before.
void LiveLibrary::take_log_in() {
    try {
        is_log_in_ = watch_.take_log_in();
    } catch (const Error &error) {
        is_log_in_ = true; // until the next change
        observer_.note(error.what());
    }
}

void LiveLibrary::watch() {
    auto pause = patience;
    for (;;) {
        std::unique_lock lock(mutex_);
        if (ends_.wait_for(lock, pause, [this] { return is_ending_; })) return;
        lock.unlock();
        pause = patience;
        const auto start = Clock::now();
        try {
            if (watch_.has_changed())
                take_state();
            else if (is_log_in_)
                continue;
            take_log_in();
        } catch (const std::exception &error) {
            observer_.warning(fmt::format("{}; serving what was there before", error.what()));
        }
        pause = std::max(patience, share * (Clock::now() - start));
    }
}

} // namespace bowhist
