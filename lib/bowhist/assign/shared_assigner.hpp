#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/kept_lines.hpp>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
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

class SharedPieces;

/// Devices that share each batch: each takes a piece of the rows, and the next piece when that is
/// done, so that a faster one takes more. A device that fails leaves (leave.hpp), and the others
/// take its piece. A row's word depends on that row alone, not on the device that finds it.
class SharedAssigner : public Assigner {
  public:
    /// @param choices  each of one device; what they report goes to their observer when run()
    ///                 returns, in this order
    /// @throws as LevelChoice::prepare, where none can be prepared; one that cannot leaves
    SharedAssigner(const std::vector<LevelChoice> &choices, const Vocabulary &vocabulary);

    SharedAssigner *on_devices() override { return this; }
    Assignment run(const Batch &batch) override;
    void replace(const Vocabulary &vocabulary) override;
    /// The sums of the members', and the longest of their wall times.
    const AssignmentReport &report() const override;

    /// A device, and its level prepared there.
    struct Member {
        LevelChoice choice;
        std::unique_ptr<KeptLines> lines; ///< what the device reports
        std::unique_ptr<Assigner> assigner = {};

        bool has_left() const;
        /// As leave.hpp's, of the device. From any thread, if the observer may be called there.
        void leave(const Error &failure, Observer &observer) const;
    };
    /// The members that have not left; at least one, whose error is the run's. Callers share out
    /// work of their own among them: one thread a member at a time, and none in run().
    std::vector<Member *> members();

  private:
    void work(Member &member, const Batch &batch, std::size_t rows, SharedPieces &pieces,
              std::vector<std::int32_t> &words);
    /// Calls `act` for each member. One that fails leaves. @throws its error where none is left
    void keep_those_that_can(const std::function<void(Member &)> &act);
    void pass_on_lines();

    std::size_t dimensions_;
    std::size_t k_;
    std::vector<Member> members_;
    mutable AssignmentReport joined_; ///< the result of report()
};

/// Adds what one of several devices did: sums, and the longest of their wall times.
void join(const AssignmentReport &its, AssignmentReport &all);

} // namespace bowhist
