#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/ops/image_batch.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace bowhist {

inline std::size_t area(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

/// Parts of a launch, one behind another; a kernel finds its own by find_part.cl.
struct Parts {
    std::vector<cl_uint> firsts = {};
    std::size_t total = 0;
    Buffer<cl_uint> there = {}; ///< the firsts, once sent

    void add(std::size_t length) {
        firsts.push_back(as_uint(total));
        total += length;
        if (total > std::numeric_limits<cl_uint>::max())
            throw Error(Fault::device, "too many pixels for a launch; give fewer at a time");
    }
    cl_uint count() const { return as_uint(firsts.size()); }
    void join(Bundle &bundle) { bundle.add(firsts, there); }
};

} // namespace bowhist
