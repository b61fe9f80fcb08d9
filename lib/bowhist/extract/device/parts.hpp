#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace bowhist {

/// Parts of a launch, one behind another.
struct Parts {
    std::vector<cl_uint> firsts = {};
    std::size_t total = 0;

    void add(std::size_t length) {
        firsts.push_back(static_cast<cl_uint>(total));
        total += length;
        if (total > std::numeric_limits<cl_uint>::max())
            throw Error(Fault::device, "too many pixels for a launch; give fewer at a time");
    }
};

/// At least so many elements; what was there is lost.
template <typename T>
void reserve(Device &device, Buffer<T> &buffer, std::size_t size) {
    if (buffer.size < size) buffer = device.allocate<T>(size);
}

} // namespace bowhist
