#include <bowhist/team/thread_team.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

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

class ThreadTeam::Member : public Team {
  public:
    Member(ThreadTeam &team, std::size_t rank) : team_(team), rank_(rank) {}

    std::size_t size() const override { return team_.members_.size(); }
    std::size_t rank() const override { return rank_; }
    MemberPlace place() const override { return {.number = rank_, .on_cores = size()}; }
    void sum(std::span<double> values, const Ready &ready) override {
        if (ready) ready(0, values.size());
        team_.sum(rank_, values);
    }
    void sum(std::span<std::uint32_t> values) override { team_.sum(rank_, values); }
    void sum(std::span<std::uint64_t> values) override { team_.sum(rank_, values); }
    void maximize(std::span<float> values) override {
        team_.meet(rank_, values, [&](const std::vector<float *> &all) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                float largest = all.front()[i];
                for (const float *one : all) largest = std::max(largest, one[i]);
                for (float *one : all) one[i] = largest;
            }
        });
    }
    void broadcast(std::string &bytes) override {
        team_.meet(rank_, std::span(&bytes, 1), [](const std::vector<std::string *> &all) {
            for (std::string *one : all)
                if (one != all.front()) *one = *all.front();
        });
    }
    void gather(const Give &give, const Take &take) override {
        Ends own{give, take};
        team_.meet(rank_, std::span(&own, 1), [](const std::vector<Ends *> &all) {
            for (std::size_t from = 1; from < all.size(); ++from)
                for (std::string some; !(some = all[from]->give()).empty();)
                    all.front()->take(from, some);
        });
    }
    void describe(Work /*work*/) override {}
    Ending end(Ending own) override {
        if (!own.line.empty()) team_.break_up();
        return own;
    }

  private:
    struct Ends {
        const Give &give;
        const Take &take;
    };

    ThreadTeam &team_;
    std::size_t rank_;
};

ThreadTeam::ThreadTeam(std::size_t size) : values_(size), waited_(size) {
    for (std::size_t rank = 0; rank < size; ++rank)
        members_.push_back(std::make_unique<Member>(*this, rank));
}

ThreadTeam::~ThreadTeam() = default;

Team &ThreadTeam::member(std::size_t rank) {
    return *members_[rank];
}

std::vector<ThreadTeam::Handed> ThreadTeam::exchange(std::size_t rank, Handed own) {
    struct Hand {
        Handed own;
        std::vector<Handed> all = {};
    } hand{std::move(own)};
    meet(rank, std::span(&hand, 1), [](const std::vector<Hand *> &hands) {
        for (Hand *to : hands)
            for (const Hand *from : hands) to->all.push_back(from->own);
    });
    return std::move(hand.all);
}

double ThreadTeam::seconds_waited(std::size_t rank) const {
    const std::lock_guard lock(mutex_);
    return waited_[rank];
}

void ThreadTeam::break_up() {
    const std::lock_guard lock(mutex_);
    broken_ = true;
    changed_.notify_all();
}

template <typename Value, typename Join>
void ThreadTeam::meet(std::size_t rank, std::span<Value> values, const Join &join) {
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    values_[rank] = values.data();
    const std::size_t meeting = meetings_;
    if (!broken_ && ++arrived_ == members_.size()) {
        std::vector<Value *> all;
        for (void *one : values_) all.push_back(static_cast<Value *>(one));
        join(all);
        arrived_ = 0;
        ++meetings_;
        changed_.notify_all();
        return;
    }
    changed_.wait(lock, [&] { return broken_ || meetings_ != meeting; });
    waited_[rank] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (meetings_ == meeting) throw TeamBroken();
}

template <typename Value>
void ThreadTeam::sum(std::size_t rank, std::span<Value> values) {
    meet(rank, values, [&](const std::vector<Value *> &all) {
        // Isolated: a thread that holds the lock must not take up other work.
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, values.size(), 16384),
                              [&](const auto &range) {
                                  Value *const first = all.front();
                                  for (std::size_t one = 1; one < all.size(); ++one)
                                      for (std::size_t i = range.begin(); i < range.end(); ++i)
                                          first[i] += all[one][i];
                                  for (std::size_t one = 1; one < all.size(); ++one)
                                      std::copy(first + range.begin(), first + range.end(),
                                                all[one] + range.begin());
                              });
        });
    });
}

} // namespace bowhist
