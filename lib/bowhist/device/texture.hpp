#pragma once

#include <bowhist/device/opencl.hpp>

#include <cstddef>

namespace bowhist {

/// An image object of four floats a texel: read by a kernel through a device's image hardware.
/// Freed with the last copy of the handle. Made by Device::allocate_texture.
struct Texture {
    cl::Image2D memory;
    std::size_t width = 0; ///< texels
    std::size_t height = 0;
};

} // namespace bowhist
