#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace bowhist {

/// Pieces of work, by their numbers, that threads take one at a time.
///
/// Protocol of a thread: take, then done or give_back; again from take until there is nothing. A
/// thread that gives a piece back ends. Thread-safe.
class SharedPieces {
  public:
    /// @param threads  that will take them
    SharedPieces(std::size_t count, std::size_t threads) : left_(count), threads_(threads) {
        for (std::size_t piece = count; piece > 0; --piece) free_.push_back(piece - 1);
    }

    /// The first piece that no thread has; waits while others may give theirs back. Nothing when
    /// all are done, or the work ends.
    std::optional<std::size_t> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !free_.empty() || left_ == 0 || failure_; });
        if (free_.empty() || failure_) return std::nullopt;
        const std::size_t piece = free_.back();
        free_.pop_back();
        return piece;
    }

    void done() {
        const std::lock_guard lock(mutex_);
        --left_;
        if (left_ == 0) changed_.notify_all();
    }

    /// @return false where no other thread is left
    bool give_back(std::size_t piece) {
        const std::lock_guard lock(mutex_);
        if (--threads_ == 0) return false;
        free_.push_back(piece);
        changed_.notify_all();
        return true;
    }

    /// Ends the work.
    void fail(std::exception_ptr failure) {
        const std::lock_guard lock(mutex_);
        failure_ = std::move(failure);
        changed_.notify_all();
    }

    /// REQUIRES: the threads have ended.
    const std::exception_ptr &failure() const { return failure_; }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::size_t> free_; ///< the last one is the next
    std::size_t left_;              ///< that are not done
    std::size_t threads_;           ///< that gave nothing back
    std::exception_ptr failure_;
};

} // namespace bowhist
