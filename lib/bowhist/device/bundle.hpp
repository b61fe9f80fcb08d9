#pragma once

#include <bowhist/device/device.hpp>

#include <span>
#include <vector>

namespace bowhist {

/// Vectors that one transfer sends to a device. On a GPU a transfer of a few bytes, and the memory
/// for them, takes as long as a kernel does.
class Bundle {
  public:
    /// send() makes `there` a buffer with these values. Both stay in place until then.
    template <typename T>
    void add(const std::vector<T> &values, Buffer<T> &there) {
        there.size = values.size();
        parts_.push_back({std::as_bytes(std::span(values)), &there.memory});
    }
    template <typename T>
    void add(std::vector<T> &&values, Buffer<T> &there) = delete; // it would be gone
    /// After everything launched before; returns when all is there. @throws Error{Fault::device}
    void send(Device &device) const;

  private:
    struct Part {
        std::span<const std::byte> values;
        cl::Buffer *there;
    };
    std::vector<Part> parts_;
};

} // namespace bowhist
