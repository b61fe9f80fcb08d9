#include <bowhist/team/deadline.hpp>

#include <utility>

namespace bowhist {

Deadline::Deadline(std::chrono::milliseconds after, std::function<void()> act)
    : thread_([this, after, act = std::move(act)] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, after, [this] { return is_met_; })) act();
      }) {}

Deadline::~Deadline() {
    {
        const std::lock_guard lock(mutex_);
        is_met_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

} // namespace bowhist
