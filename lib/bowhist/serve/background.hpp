#pragma once

#include <bowhist/core/observer.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace bowhist {

/// A result about a library that takes long to find. It is found when it is first asked for, on a
/// thread of its own, and again for another state of the library. Any thread.
template <typename Result>
class Background {
  public:
    using Find = std::function<Result(Observer &)>;

    /// @param observer  ends the work when it is interrupted; outlives this
    Background(Find find, const Observer &observer) : find_(std::move(find)), progress_(observer) {}
    ~Background() {
        progress_.is_ending = true;
        if (finder_.joinable()) finder_.join();
    }
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;

    struct State {
        std::shared_ptr<const Result> found = {}; ///< null while it is looked for
        std::size_t done = 0, total = 0;          ///< of the stage that runs
        std::string problem = {};                 ///< why it cannot be found
    };
    /// @param stamp     of the state that it is to be of
    /// @param patience  how long to wait for it
    State get(const std::string &stamp, std::chrono::milliseconds patience) {
        const auto end = std::chrono::steady_clock::now() + patience;
        std::unique_lock lock(mutex_);
        do { // again, where what ran was of another state
            if (!is_running_ && stamp_ != stamp) start(stamp);
        } while (is_found_.wait_until(lock, end, [this] { return !is_running_; }) &&
                 stamp_ != stamp);
        State state = state_;
        state.done = progress_.done;
        state.total = progress_.total;
        return state;
    }

    /// Puts another result in the place of the one that there is.
    void change(const std::function<Result(const Result &)> &changed) {
        const std::lock_guard lock(mutex_);
        if (state_.found) state_.found = std::make_shared<const Result>(changed(*state_.found));
    }

  private:
    struct Progress : Observer {
        explicit Progress(const Observer &of_server) : server(of_server) {}
        void progress(std::string_view /*stage*/, std::size_t now, std::size_t of) override {
            done = now;
            total = of;
        }
        bool interrupted() const override { return is_ending || server.interrupted(); }

        const Observer &server;
        std::atomic<std::size_t> done = 0, total = 0;
        std::atomic<bool> is_ending = false;
    };

    void start(const std::string &stamp) {
        if (finder_.joinable()) finder_.join();
        state_ = {};
        progress_.done = progress_.total = 0;
        finder_ = std::thread([this] { // waits for the mutex before it is done
            State state;
            try {
                state.found = std::make_shared<const Result>(find_(progress_));
            } catch (const std::exception &error) {
                state.problem = error.what();
            }
            const std::lock_guard lock(mutex_);
            state_ = std::move(state);
            is_running_ = false;
            is_found_.notify_all();
        });
        stamp_ = stamp; // unless no thread could be made
        is_running_ = true;
    }

    Find find_;
    Progress progress_;
    std::mutex mutex_; ///< of those below
    std::condition_variable is_found_;
    std::thread finder_;
    bool is_running_ = false;
    std::string stamp_; ///< of state_, or of what is looked for
    State state_;
};

} // namespace bowhist
