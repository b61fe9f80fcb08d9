#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bowhist {

/// The processes that share a run, or shards of its descriptors in one process.
///
/// Protocol: every member makes the same calls in the same order, with spans of the same size. A
/// call returns when all members have made it. One thread a member.
class Team {
  public:
    virtual ~Team() = default;

    virtual std::size_t size() const = 0; ///< members
    virtual std::size_t rank() const = 0; ///< of this member, in [0, size())

    /// Each element becomes the sum of all members' elements. Sums of float64 must be exact.
    virtual void sum(std::span<double> values) = 0;
    virtual void sum(std::span<std::uint32_t> values) = 0;
    virtual void sum(std::span<std::uint64_t> values) = 0;

    /// Each element becomes the largest of all members' elements.
    virtual void maximize(std::span<float> values) = 0;
};

/// The team of this process alone, on which no call does anything. Never destroyed.
Team &one_process();

} // namespace bowhist
