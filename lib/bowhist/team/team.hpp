#pragma once

#include <bowhist/team/shard.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// How the run of one member, or of all, ended.
struct Ending {
    int status = 0;        ///< of the process
    std::string line = {}; ///< why there is no result; empty where there is one
};

/// The place where a member runs.
struct MemberPlace {
    std::size_t number = 0;   ///< among the members of its machine
    std::size_t on_cores = 1; ///< members that may run on the same cores, itself included
};

/// The processes that share a run, or shards of its descriptors in one process.
///
/// Protocol: every member makes the same calls in the same order, with spans of the same size. A
/// call returns when all members have made it. One thread a member. end() is the last call, and may
/// come in place of any other: the others' next call then throws.
class Team {
  public:
    virtual ~Team() = default;

    virtual std::size_t size() const = 0; ///< members
    virtual std::size_t rank() const = 0; ///< of this member, in [0, size())
    virtual MemberPlace place() const = 0;

    /// Called with ranges of elements, in order, before each is read.
    using Ready = std::function<void(std::size_t first, std::size_t end)>;

    /// Each element becomes the sum of all members' elements. Sums of float64 must be exact.
    /// @param ready  computes elements, while those before them are on their way; may be null
    virtual void sum(std::span<double> values, const Ready &ready) = 0;
    void sum(std::span<double> values) { sum(values, nullptr); }
    virtual void sum(std::span<std::uint32_t> values) = 0;
    virtual void sum(std::span<std::uint64_t> values) = 0;

    /// Each element becomes the largest of all members' elements.
    virtual void maximize(std::span<float> values) = 0;

    /// Each member gets the bytes of rank 0.
    virtual void broadcast(std::string &bytes) = 0;

    /// The next bytes of a member; empty at their end.
    using Give = std::function<std::string()>;
    /// Gets bytes of a member.
    using Take = std::function<void(std::size_t rank, std::string_view bytes)>;

    /// Rank 0 takes the bytes of the other members, in the order of ranks, piece by piece. They
    /// have no more than a few pieces in memory.
    virtual void gather(const Give &give, const Take &take) = 0;

    /// Names a member's work, for the line about a member that ends without a word.
    using Work = std::function<std::string(std::size_t rank)>;
    virtual void describe(Work work) = 0;

    /// Ends the run of all members alike: as that of the lowest rank that has no result, which the
    /// line names unless all fail; else as rank 0's. A member without a result waits for the others
    /// some seconds, and then ends their processes.
    virtual Ending end(Ending own) = 0;
};

/// The team of this process alone, on which no call does anything. Never destroyed.
Team &one_process();

/// This member's range of `count` things in order.
inline ShardRange share_of(const Team &team, std::size_t count) {
    return range_of({team.rank() + 1, team.size()}, count);
}

/// The bytes of all members end to end, in the order of ranks: each member gets them.
std::string bytes_of_all(Team &team, std::string own);

/// The line about a member that differs from rank 0.
/// @param other  what it has: "another vocabulary"
std::string difference(std::size_t rank, std::string_view other);

/// Compares what all members must have alike.
/// @param other  what a member has whose text differs from rank 0's: "another vocabulary"
/// @throws Error{Fault::usage} on all of them alike, naming the first such member
void require_same(Team &team, std::string_view other, std::string_view text);

} // namespace bowhist
