#pragma once

#include <bowhist/device/device.hpp>

#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// Vectors that one transfer sends to a device. On a GPU a transfer of a few bytes, and the memory
/// for them, takes as long as a kernel does.
class Bundle {
  public:
    /// `there` will be a buffer with these values, part of the bundle's memory. Both stay where
    /// they are until send().
    template <typename T>
    void add(const std::vector<T> &values, Buffer<T> &there) {
        parts_.push_back({std::as_bytes(std::span(values)), [&](cl::Buffer memory) {
                              there = {std::move(memory), values.size()};
                          }});
    }
    /// After everything launched before; returns when it is there. @throws Error{Fault::device}
    void send(Device &device) const;

  private:
    struct Part {
        std::span<const std::byte> values;
        std::function<void(cl::Buffer)> receive;
    };
    std::vector<Part> parts_;
};

} // namespace bowhist
