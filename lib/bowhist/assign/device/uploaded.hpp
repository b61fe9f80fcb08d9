#pragma once

#include <bowhist/device/device.hpp>

#include <vector>

namespace bowhist {

/// A new buffer with these values.
template <typename T>
Buffer<T> uploaded(Device &device, const std::vector<T> &values) {
    const Buffer<T> buffer = device.allocate<T>(values.size());
    device.upload<T>(buffer, values);
    return buffer;
}

} // namespace bowhist
