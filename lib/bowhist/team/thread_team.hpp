#pragma once

#include <bowhist/team/team.hpp>

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace bowhist {

/// Threads that stay between calls: to start and end one each time takes a tenth of a millisecond
/// and more where a driver keeps something for each thread. For one caller at a time.
class StandingThreads {
  public:
    StandingThreads();
    ~StandingThreads();

    /// Does all of the work at once: the first on this thread, the rest on a thread each.
    /// @throws what the first of them threw, when all have ended
    void run(std::span<const std::function<void()>> work);

  private:
    class One;
    std::vector<std::unique_ptr<One>> threads_;
};

/// Ends the call of a member because another one failed.
struct TeamBroken : std::exception {
    const char *what() const noexcept override { return "another member of the team failed"; }
};

/// A team of threads of this process. Sums of all members are added up by all cores. The member
/// that comes last does what a call does for all, and may call what another one gave to it. A
/// member without a result breaks up the team by end(), at once; each ending is its own.
class ThreadTeam {
  public:
    explicit ThreadTeam(std::size_t size);
    ~ThreadTeam();

    /// That member, for one thread. The team outlives it.
    Team &member(std::size_t rank);
    /// The values that all members hand over, in the order of ranks. Members call this at the same
    /// time.
    using Handed = std::shared_ptr<const void>;
    std::vector<Handed> exchange(std::size_t rank, Handed own);
    /// How long a member has waited for others since the team was made.
    double seconds_waited(std::size_t rank) const;
    /// Ends every call, now and later. @throws nothing; its callers throw TeamBroken
    void break_up();

  private:
    class Member;
    /// Calls `join` on the last thread that arrives, with the spans of all members.
    template <typename Value, typename Join>
    void meet(std::size_t rank, std::span<Value> values, const Join &join);
    template <typename Value>
    void sum(std::size_t rank, std::span<Value> values);

    std::vector<std::unique_ptr<Member>> members_;
    mutable std::mutex mutex_; ///< of those below
    std::condition_variable changed_;
    std::vector<void *> values_; ///< of those that have arrived
    std::vector<double> waited_;
    std::size_t arrived_ = 0;
    std::size_t meetings_ = 0;
    bool broken_ = false;
};

} // namespace bowhist
