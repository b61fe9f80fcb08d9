#pragma once

#include <bowhist/team/team.hpp>

#include <algorithm>
#include <barrier>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace bowhist {

/// Bytes that a member handed its team to be added up, and bytes that it sent for it.
struct TeamBytes {
    std::uint64_t handed = 0;
    std::uint64_t sent = 0;

    TeamBytes operator-(const TeamBytes &other) const {
        return {handed - other.handed, sent - other.sent};
    }
};

class Ring;

/// A thread that is a member of a team.
class RingMember : public Team {
  public:
    RingMember(Ring &ring, std::size_t rank) : ring_(ring), rank_(rank) {}

    std::size_t size() const override;
    std::size_t rank() const override { return rank_; }
    MemberPlace place() const override { return {}; }
    using Team::sum;
    void sum(std::span<double> values, const Ready &ready) override {
        if (ready) ready(0, values.size());
        combine(values, std::plus{});
    }
    void sum(std::span<std::uint32_t> values) override { combine(values, std::plus{}); }
    void sum(std::span<std::uint64_t> values) override { combine(values, std::plus{}); }
    void maximize(std::span<float> values) override {
        combine(values, [](float a, float b) { return std::max(a, b); });
    }

    void broadcast(std::string & /*bytes*/) override {}
    void gather(const Give & /*give*/, const Take & /*take*/) override {}
    void describe(Work /*work*/) override {}
    Ending end(Ending own) override { return own; }

    const TeamBytes &bytes() const { return bytes_; }

  private:
    template <typename Value, typename Operation>
    void combine(std::span<Value> values, const Operation &operation);
    template <typename Value>
    std::span<Value> segment(std::span<Value> values, std::size_t number) const;
    template <typename Value>
    std::vector<Value> exchange(std::span<const Value> values);

    Ring &ring_;
    std::size_t rank_;
    TeamBytes bytes_;
};

/// Threads that add up as MPI libraries do with long spans: each sends a segment to its neighbor,
/// p - 1 times until each has the sum of one, and p - 1 times until each has all.
class Ring {
  public:
    explicit Ring(std::size_t members)
        : mail_(members), barrier_(static_cast<std::ptrdiff_t>(members)) {}

    std::size_t size() const { return mail_.size(); }

    /// Calls `use` with each member, on a thread of its own.
    void run(const std::function<void(RingMember &)> &use) {
        std::vector<std::thread> threads;
        for (std::size_t rank = 0; rank < size(); ++rank)
            threads.emplace_back([this, rank, &use] {
                RingMember member(*this, rank);
                use(member);
            });
        for (std::thread &thread : threads) thread.join();
    }

    /// Sends bytes to the next member. @return those of the one before
    std::string exchange(std::size_t rank, std::string bytes) {
        mail_[(rank + 1) % size()] = std::move(bytes);
        barrier_.arrive_and_wait();
        std::string got = std::move(mail_[rank]);
        barrier_.arrive_and_wait();
        return got;
    }

  private:
    std::vector<std::string> mail_;
    std::barrier<> barrier_;
};

inline std::size_t RingMember::size() const {
    return ring_.size();
}

template <typename Value>
std::span<Value> RingMember::segment(std::span<Value> values, std::size_t number) const {
    const std::size_t first = values.size() * number / size();
    return values.subspan(first, values.size() * (number + 1) / size() - first);
}

template <typename Value>
std::vector<Value> RingMember::exchange(std::span<const Value> values) {
    bytes_.sent += values.size_bytes();
    const std::string got =
        ring_.exchange(rank_, {reinterpret_cast<const char *>(values.data()), values.size_bytes()});
    std::vector<Value> all(got.size() / sizeof(Value));
    if (!got.empty()) std::memcpy(all.data(), got.data(), got.size());
    return all;
}

template <typename Value, typename Operation>
void RingMember::combine(std::span<Value> values, const Operation &operation) {
    bytes_.handed += values.size_bytes();
    const std::size_t members = size();
    for (std::size_t step = 0; step + 1 < members; ++step) {
        const auto got = exchange<Value>(segment(values, (rank_ + members - step) % members));
        const auto own = segment(values, (rank_ + 2 * members - step - 1) % members);
        std::ranges::transform(own, got, own.begin(), operation);
    }
    for (std::size_t step = 0; step + 1 < members; ++step) {
        const auto got = exchange<Value>(segment(values, (rank_ + 1 + members - step) % members));
        std::ranges::copy(got, segment(values, (rank_ + members - step) % members).begin());
    }
}

} // namespace bowhist
