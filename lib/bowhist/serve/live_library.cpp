#include <bowhist/serve/live_library.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include <malloc.h>

namespace bowhist {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Clock::duration patience = 250ms;
constexpr int share = 10; ///< of the time, at most, in which a changing library is opened
constexpr int most_tries = 5;

/// The program keeps what it frees (app/run.cpp), as a run that ends soon may. A server would keep
/// the memory of several states.
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

void LiveLibrary::watch() {
    auto pause = patience;
    for (;;) {
        std::unique_lock lock(mutex_);
        if (ends_.wait_for(lock, pause, [this] { return is_ending_; })) return;
        lock.unlock();
        pause = patience;
        const auto start = Clock::now();
        try {
            if (!watch_.has_changed()) continue;
            auto snapshot = opened();
            lock.lock();
            now_.swap(snapshot);
            lock.unlock();
            observer_.note(fmt::format("the library changed: {} images", now()->status().images));
        } catch (const std::exception &error) {
            observer_.warning(fmt::format("{}; serving what was there before", error.what()));
        }
        pause = std::max(patience, share * (Clock::now() - start));
    }
}

} // namespace bowhist
