#pragma once

#include <bowhist/device/device.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

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

} // namespace bowhist
