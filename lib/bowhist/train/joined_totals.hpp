#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/sums/centroid_sums.hpp>
#include <bowhist/train/team_totals.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace bowhist {

/// Makes a device's sums and counts of all words those of its team. One thread at a time.
class JoinedTotals {
  public:
    JoinedTotals(std::shared_ptr<Device> device, std::size_t k, std::size_t dimensions)
        : device_(std::move(device)), k_(k), dimensions_(dimensions) {}

    /// Memory of other members, which the device reads until an event: also where an error comes
    /// first.
    struct Borrowed {
        std::vector<MemberSums> from = {};
        cl::Event read = {};

        ~Borrowed() {
            if (read() != nullptr) clWaitForEvents(1, &read()); // a destructor cannot report errors
        }
    };

    /// Queued; waits for what was launched before, and for the other members.
    /// @param sums    k×D, two numbers each (sum_by_word.cl)
    /// @param result  to be kept until the launches after it have ended
    [[nodiscard]] Borrowed join(CentroidSums &team, const Buffer<cl_uint> &sums,
                                const Buffer<cl_uint> &counts);

    /// A share's totals: this device's own of the last join(), to be had once.
    std::shared_ptr<TeamTotals> take() { return std::move(totals_); }
    /// Memory for those of a later join().
    void reuse(std::shared_ptr<TeamTotals> totals) { totals_ = std::move(totals); }

  private:
    void download(const Buffer<cl_uint> &sums, const Buffer<cl_uint> &counts);
    Borrowed add_members(const CentroidSums &team, const Buffer<cl_uint> &sums,
                         const Buffer<cl_uint> &counts);

    std::shared_ptr<Device> device_;
    std::size_t k_;
    std::size_t dimensions_;
    std::optional<Kernel> add_words_;    ///< built when first needed
    std::shared_ptr<TeamTotals> totals_; ///< null: not asked for yet, or taken
};

} // namespace bowhist
