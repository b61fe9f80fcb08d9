#pragma once

#include <bowhist/device/device.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace bowhist {

/// Sums and counts of all words, on their way between a device and a team.
class TeamTotals {
  public:
    TeamTotals(Device &device, std::size_t k, std::size_t dimensions)
        : memory_(
              device.pinned(k * dimensions * sizeof(std::uint64_t) + k * sizeof(std::uint32_t))),
          k_(k), numbers_(k * dimensions) {}

    ~TeamTotals() { await(); }
    TeamTotals(const TeamTotals &) = delete;
    TeamTotals &operator=(const TeamTotals &) = delete;

    /// k×D multiples.
    std::span<std::uint64_t> sums() const {
        return {reinterpret_cast<std::uint64_t *>(memory_->bytes().data()), numbers_};
    }
    std::span<std::uint32_t> counts() const {
        return {reinterpret_cast<std::uint32_t *>(sums().data() + numbers_), k_};
    }
    /// @param end  of what the device reads or writes here
    void note_in_use(cl::Event end) { in_use_ = std::move(end); }
    void await() {
        if (in_use_() != nullptr) clWaitForEvents(1, &in_use_()); // a destructor reports no errors
        in_use_ = {};
    }

  private:
    std::unique_ptr<PinnedMemory> memory_;
    std::size_t k_, numbers_;
    cl::Event in_use_; ///< null: no longer
};

} // namespace bowhist
