#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/sums/centroid_sums.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// Sums and counts of all words, on their way between a device and a team, in pinned memory. One
/// thread at a time, but for reading. @throws as Device::pinned()
class TeamTotals {
  public:
    TeamTotals(Device &device, std::size_t k, std::size_t dimensions)
        : memory_(
              device.pinned(k * dimensions * sizeof(std::uint64_t) + k * sizeof(std::uint32_t))),
          k_(k), numbers_(k * dimensions) {}

    ~TeamTotals() { note({}); }

    /// k×D multiples, row-major (centroid_sums.hpp).
    std::span<std::uint64_t> sums() const {
        return {reinterpret_cast<std::uint64_t *>(memory_->bytes().data()), numbers_};
    }
    /// How many descriptors each word has.
    std::span<std::uint32_t> counts() const {
        return {reinterpret_cast<std::uint32_t *>(sums().data() + numbers_), k_};
    }
    /// @param transfer  when it has ended: until then the memory stays
    void note(cl::Event transfer) {
        if (last_() != nullptr) clWaitForEvents(1, &last_()); // a destructor cannot report errors
        last_ = std::move(transfer);
    }

  private:
    std::unique_ptr<PinnedMemory> memory_;
    std::size_t k_, numbers_;
    cl::Event last_; ///< transfer; null: there was none
};

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
