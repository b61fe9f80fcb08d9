#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
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

} // namespace bowhist
