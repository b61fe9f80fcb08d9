#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace bowhist {

/// Acts after a time, on a thread of its own, unless it is destroyed before.
class Deadline {
  public:
    Deadline(std::chrono::milliseconds after, std::function<void()> act);
    /// Waits for the act, if it has begun.
    ~Deadline();
    Deadline(const Deadline &) = delete;
    Deadline &operator=(const Deadline &) = delete;

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_met_ = false;
    std::thread thread_; ///< after what it uses
};

} // namespace bowhist
