#pragma once

#include <bowhist/device/opencl.hpp>

#include <cstddef>

namespace bowhist {

/// `size` elements of T in a device's global memory; freed with the last copy of the handle,
/// or of those to other parts of a Bundle. Made by Device::allocate, or by Bundle.
template <typename T>
struct Buffer {
    cl::Buffer memory;
    std::size_t size = 0; ///< elements
};

/// An image object of four floats a texel: read by a kernel through a device's image hardware.
/// Freed with the last copy of the handle. Made by Device::allocate_texture.
struct Texture {
    cl::Image2D memory;
    std::size_t width = 0; ///< texels
    std::size_t height = 0;
};

/// Whether two handles are of the same memory.
template <typename T>
bool same_memory(const Buffer<T> &a, const Buffer<T> &b) {
    return a.memory() == b.memory();
}

} // namespace bowhist
