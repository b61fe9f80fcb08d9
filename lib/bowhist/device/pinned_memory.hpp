#pragma once

#include <bowhist/device/opencl.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// Memory of the host that a device reads and writes several times faster than a program's own, and
/// while the caller or the device works at something else. Other memory serves if none can be had.
/// No device may still read or write it when it is destroyed: the work of other queues is not
/// waited for. Any thread may use its bytes.
class PinnedMemory {
  public:
    /// @throws cl::Error where the device has no queue to map it by
    PinnedMemory(const cl::Context &context, const cl::Device &device, std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory &) = delete;
    PinnedMemory &operator=(const PinnedMemory &) = delete;

    std::span<std::byte> bytes() const { return {memory_, size_}; }
    bool is_pinned() const { return pageable_.empty(); }

  private:
    cl::CommandQueue queue_;
    cl::Buffer pinned_;
    std::vector<std::byte> pageable_;
    std::byte *memory_ = nullptr; ///< of pinned_, mapped as long as it lives; or of pageable_
    std::size_t size_;
};

} // namespace bowhist
