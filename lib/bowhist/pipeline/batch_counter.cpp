#include <bowhist/pipeline/batch_counter.hpp>

#include <bowhist/assign/shared_assigner.hpp>
#include <bowhist/core/kept_lines.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace bowhist {
namespace {

using Counts = std::vector<std::uint32_t>;

Counts counts_of(RowsToCount &rows, Assigner &assigner, ImageCounter *others) {
    const Batch batch = rows.batch();
    std::unique_lock<std::mutex> alone;
    if (others != nullptr) alone = others->pause(assigner);
    return assigner.run(batch).histograms;
}

class AtOnce : public BatchCounter {
  public:
    AtOnce(Assigner &assigner, ImageCounter *others) : assigner_(assigner), others_(others) {}

    std::future<Counts> add(RowsToCount &&rows) override {
        std::promise<Counts> counts;
        counts.set_value(counts_of(rows, assigner_, others_));
        return counts.get_future();
    }

  private:
    Assigner &assigner_;
    ImageCounter *others_;
};

/// A thread for each device; one batch waits for each.
class OnDevices : public BatchCounter {
  public:
    OnDevices(SharedAssigner &assigner, ImageCounter *others, Observer &observer)
        : others_(others), lines_(observer) {
        const std::vector<SharedAssigner::Member *> members = assigner.members();
        working_ = most_waiting_ = members.size();
        for (SharedAssigner::Member *member : members)
            threads_.emplace_back([this, member] { work(*member); });
    }

    ~OnDevices() override {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        changed_.notify_all();
        for (std::thread &thread : threads_) thread.join();
        lines_.pass_on();
    }

    std::future<Counts> add(RowsToCount &&rows) override {
        lines_.pass_on();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_.size() < most_waiting_ || failure_; });
        if (failure_) std::rethrow_exception(failure_);
        waiting_.push_back({std::move(rows), {}});
        changed_.notify_all();
        return waiting_.back().counts.get_future();
    }

  private:
    struct Waiting {
        RowsToCount rows;
        std::promise<Counts> counts;
    };

    void work(SharedAssigner::Member &member) {
        while (auto batch = next(member)) try {
                batch->counts.set_value(counts_of(batch->rows, *member.assigner, others_));
                end_of_batch();
            } catch (const Error &error) {
                if (error.fault == Fault::device)
                    return give_back(std::move(*batch), member, error);
                batch->counts.set_exception(std::current_exception());
                end_of_batch();
            } catch (...) {
                batch->counts.set_exception(std::current_exception());
                end_of_batch();
            }
    }

    /// Waits for one, also while other devices may give theirs back. Nothing at the end.
    std::optional<Waiting> next(const SharedAssigner::Member &member) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !waiting_.empty() || (is_ending_ && taken_ == 0); });
        const bool leaves = member.has_left() && working_ > 1;
        if (waiting_.empty() || leaves) {
            --working_;
            return std::nullopt;
        }
        Waiting first = std::move(waiting_.front());
        waiting_.pop_front();
        ++taken_;
        changed_.notify_all();
        return first;
    }

    void end_of_batch() {
        const std::lock_guard lock(mutex_);
        --taken_;
        changed_.notify_all();
    }

    /// The last device's failure is that of all that waits.
    void give_back(Waiting &&batch, const SharedAssigner::Member &member, const Error &error) {
        const std::lock_guard lock(mutex_);
        --taken_;
        waiting_.push_front(std::move(batch));
        if (--working_ > 0) {
            member.leave(error, lines_);
        } else {
            failure_ = std::current_exception();
            for (Waiting &one : waiting_) one.counts.set_exception(failure_);
            waiting_.clear();
        }
        changed_.notify_all();
    }

    ImageCounter *others_;
    KeptLines lines_;
    std::mutex mutex_; ///< of those below
    std::condition_variable changed_;
    std::deque<Waiting> waiting_;
    std::size_t most_waiting_ = 0;
    std::size_t taken_ = 0;   ///< batches that devices work on
    std::size_t working_ = 0; ///< devices
    std::exception_ptr failure_;
    bool is_ending_ = false;
    std::vector<std::thread> threads_;
};

} // namespace

void RowsToCount::add(Descriptors &&image) {
    bag_.insert(bag_.end(), image.size(), static_cast<std::uint32_t>(values_.size()));
    values_.push_back(std::move(image.values));
}

Batch RowsToCount::batch() {
    if (values_.size() == 1) return {values_.front(), bag_, 1};
    if (!joined_) join();
    return {{joined_.get(), firsts_.back()}, bag_, values_.size()};
}

/// All threads copy: one alone is slower than the devices that read the rows.
void RowsToCount::join() {
    firsts_.assign(1, 0);
    for (const std::vector<float> &some : values_) firsts_.push_back(firsts_.back() + some.size());
    joined_ = std::make_unique_for_overwrite<float[]>(firsts_.back());
    // Isolated: a thread that waits here must not take up another task of the caller's meanwhile.
    tbb::this_task_arena::isolate([this] {
        tbb::parallel_for(std::size_t{0}, values_.size(), [this](std::size_t image) {
            std::vector<float> some = std::exchange(values_[image], {}); // freed at the end
            std::ranges::copy(some, joined_.get() + firsts_[image]);
        });
    });
}

std::unique_ptr<BatchCounter> make_batch_counter(Assigner &assigner, ImageCounter *others,
                                                 Observer &observer) {
    if (SharedAssigner *on_devices = assigner.on_devices())
        return std::make_unique<OnDevices>(*on_devices, others, observer);
    return std::make_unique<AtOnce>(assigner, others);
}

} // namespace bowhist
