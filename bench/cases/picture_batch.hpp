#pragma once

#include "bench/scene.hpp"

#include <bowhist/ops/image_batch.hpp>

namespace bowhist {

/// A batch of pictures to measure with: as many pixels as n descriptors have floats, at least one
/// picture. Pixels are in [0, 1), the same for the same size.
struct PictureBatch {
    std::vector<float> values; ///< without padding
    DeviceImages<float> in;
};

/// Number i of a fixed sequence in which each of 2³² is as likely as any other.
std::uint32_t noise(std::size_t i);

/// The side of square pictures to measure with: what was asked for, else `most` pixels, less where
/// one such picture has more pixels than n descriptors have floats; then a power of two.
std::size_t picture_side(const Scene &scene, std::size_t most);

/// How many pictures of `pixels` each make up the bytes of n descriptors, at `bytes_each` a pixel:
/// at least one, and no more than fit half of an allocation of the device, with `largest` bytes a
/// picture in the largest buffer.
std::size_t picture_count(const Scene &scene, std::size_t pixels, std::size_t bytes_each,
                          std::size_t largest);

/// Square pictures of `side` pixels. Without a device they are on the host only.
PictureBatch make_pictures(const Scene &scene, std::size_t side);

} // namespace bowhist
