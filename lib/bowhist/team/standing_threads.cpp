#include <bowhist/team/standing_threads.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace bowhist {
namespace {

std::exception_ptr failure_of(const std::function<void()> &work) {
    try {
        work();
    } catch (...) {
        return std::current_exception();
    }
    return {};
}

} // namespace

class StandingThreads::One {
  public:
    ~One() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    void start(const std::function<void()> &work) {
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
        }
        changed_.notify_all();
    }

    /// For the end of the work. @return its failure, or null
    std::exception_ptr wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return work_ == nullptr; });
        return failure_;
    }

  private:
    void serve() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return ends_ || work_ != nullptr; });
            if (ends_) return;
            lock.unlock();
            std::exception_ptr failure = failure_of(*work_);
            lock.lock();
            failure_ = std::move(failure);
            work_ = nullptr;
            changed_.notify_all();
        }
    }

    std::mutex mutex_; ///< of those below
    std::condition_variable changed_;
    const std::function<void()> *work_ = nullptr; ///< null: none
    std::exception_ptr failure_;                  ///< of the last work
    bool ends_ = false;
    std::thread thread_{[this] { serve(); }};
};

StandingThreads::StandingThreads() = default;
StandingThreads::~StandingThreads() = default;

void StandingThreads::run(std::span<const std::function<void()>> work) {
    while (threads_.size() + 1 < work.size()) threads_.push_back(std::make_unique<One>());
    for (std::size_t i = 1; i < work.size(); ++i) threads_[i - 1]->start(work[i]);
    std::exception_ptr failure = failure_of(work.front());
    for (std::size_t i = 1; i < work.size(); ++i) {
        const std::exception_ptr other = threads_[i - 1]->wait();
        if (!failure) failure = other;
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace bowhist
