#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <cstddef>

namespace bowhist {

/// Many images of one size on a device, end to end in one buffer, so that one launch serves all.
///
/// Pixel (x, y) of image p is element (p * height + y) * pitch + x: the rows of all images lie
/// `pitch` elements apart, without a gap between images. An operation on rows therefore sees one
/// matrix of rows() rows. Operations neither read nor keep what the padding (elements
/// width … pitch of a row) holds.
template <typename T>
struct DeviceImages {
    Buffer<T> pixels;       ///< at least elements() of them
    std::size_t width = 0;  ///< pixels a row
    std::size_t height = 0; ///< rows an image
    std::size_t pitch = 0;  ///< elements from one row's start to the next, at least `width`
    std::size_t count = 1;  ///< images

    std::size_t rows() const { return height * count; }
    std::size_t elements() const { return pitch * rows(); }
    /// No pixel at all: operations then launch nothing.
    bool empty() const { return width == 0 || rows() == 0; }
};

/// Room for `count` images; their pixels hold whatever lay there. Without a pitch, rows follow
/// one another without padding.
/// @throws Error{Fault::usage} when the pitch is less than the width
template <typename T>
DeviceImages<T> allocate_images(Device &device, std::size_t width, std::size_t height,
                                std::size_t count = 1, std::size_t pitch = 0) {
    DeviceImages<T> images{.pixels = {},
                           .width = width,
                           .height = height,
                           .pitch = pitch == 0 ? width : pitch,
                           .count = count};
    if (images.pitch < width)
        throw Error(Fault::usage, "a row of pictures is longer than its pitch; give a pitch of at "
                                  "least the width, or none");
    images.pixels = device.allocate<T>(images.elements());
    return images;
}

/// Sizes as kernels take them.
constexpr cl_uint as_uint(std::size_t size) {
    return static_cast<cl_uint>(size);
}

/// For operations that read pixels after they have written others.
/// @throws Error{Fault::usage} when both are in one buffer and not empty
template <typename T>
void check_apart(const DeviceImages<T> &in, const DeviceImages<T> &out) {
    if (!in.empty() && same_memory(in.pixels, out.pixels))
        throw Error(Fault::usage, "pictures cannot be replaced while they are read; give the "
                                  "result another buffer");
}

} // namespace bowhist
