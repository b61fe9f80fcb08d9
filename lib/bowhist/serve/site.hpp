#pragma once

#include <bowhist/report/kept_groups.hpp>
#include <bowhist/serve/background.hpp>
#include <bowhist/serve/copies.hpp>
#include <bowhist/serve/guard.hpp>
#include <bowhist/serve/http.hpp>
#include <bowhist/serve/live_library.hpp>
#include <bowhist/serve/words.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bowhist {

/// Threads that do the work of many clients, one piece each at a time. Decoders and extractors keep
/// memory for each thread, so for these only.
class Workers {
  public:
    explicit Workers(std::size_t threads) {
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        more_.notify_all();
        for (std::thread &thread : threads_) thread.join();
    }
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    /// Waits for its turn, and for its end. @return what it returns @throws what it throws
    template <typename Work>
    auto run(Work work) {
        std::packaged_task<decltype(work())()> task(std::move(work));
        auto result = task.get_future();
        {
            const std::lock_guard lock(mutex_);
            waiting_.emplace_back([&task] { task(); });
        }
        more_.notify_one();
        return result.get();
    }

  private:
    void work() {
        for (;;) {
            std::unique_lock lock(mutex_);
            more_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            const auto next = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            next();
        }
    }

    std::mutex mutex_; ///< of all below but the threads
    std::condition_variable more_;
    std::deque<std::function<void()>> waiting_;
    bool is_ending_ = false;
    std::vector<std::thread> threads_;
};

/// The groups that a library keeps. Any thread.
class Groups {
  public:
    /// All outlive it.
    Groups(const ServeRequest &request, LiveLibrary &live, const Observer &observer);

    using State = Background<std::vector<KeptGroup>>::State;
    State get(std::chrono::milliseconds patience) { return groups_.get(stamp(), patience); }

    /// JPEGs of each group, by its number; null while they are cut, and where they cannot be.
    using Patches = std::map<std::int32_t, std::vector<std::string>>;
    std::shared_ptr<const Patches> patches(std::chrono::milliseconds patience) {
        return patches_.get(stamp(), patience).found;
    }

  private:
    std::string stamp() const;

    LiveLibrary &live_;
    Background<std::vector<KeptGroup>> groups_;
    Background<Patches> patches_;
};

/// The parts from which answers are made.
struct Served {
    const ServeRequest &request;
    LiveLibrary &live;
    Copies &copies;
    Groups &groups;
    Words &words;
    Workers &workers;
};

/// All that is served, by paths: site.cpp lists them.
class Site : public HttpSite {
  public:
    Site(const Served &served, Guard guard) : served_(served), guard_(std::move(guard)) {}

    std::optional<HttpAnswer> refusal(const HttpRequest &head) override;
    HttpAnswer answer(HttpRequest &&request) override;
    bool take_room(Room room, std::int64_t bytes) override;

  private:
    std::string without_path(std::string reason) const;
    HttpAnswer problem(const HttpRequest &request, int status, const char *reason) const;

    Served served_;
    Guard guard_;
    std::array<std::atomic<std::int64_t>, 2> taken_ = {}; ///< bytes, of each room
};

} // namespace bowhist
