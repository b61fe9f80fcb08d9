#pragma once

#include <bowhist/device/device.hpp>

#include <span>
#include <vector>

namespace bowhist {

/// Vectors that one transfer sends to a device, again and again. On a GPU a transfer of a few
/// bytes, and the memory for them, takes as long as a kernel does.
class Bundle {
  public:
    Bundle() = default;
    ~Bundle();
    Bundle(const Bundle &) = delete;
    Bundle &operator=(const Bundle &) = delete;

    /// send() makes `there` a buffer with these values. Both stay in place until then.
    template <typename T>
    void add(const std::vector<T> &values, Buffer<T> &there) {
        there.size = values.size();
        parts_.push_back({std::as_bytes(std::span(values)), &there.memory});
    }
    template <typename T>
    void add(std::vector<T> &&values, Buffer<T> &there) = delete; // it would be gone
    /// Sends what was added since the last call, after everything launched before. Returns at once;
    /// launches until the next call find these values.
    /// @param device  the same each time @throws Error{Fault::device}, OutOfMemory
    void send(Device &device);

  private:
    struct Part {
        std::span<const std::byte> values;
        cl::Buffer *there;
    };
    std::vector<Part> parts_;
    std::vector<std::byte> all_;
    Buffer<std::byte> memory_;
    cl::Event sent_; ///< all_; null: nothing was
};

} // namespace bowhist
