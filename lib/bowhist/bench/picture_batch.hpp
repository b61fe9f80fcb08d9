#pragma once

#include <bowhist/bench/scene.hpp>
#include <bowhist/ops/image_batch.hpp>

namespace bowhist {

/// A batch of pictures to measure with: as many pixels as n descriptors have floats, at least one
/// picture. Pixels are in [0, 1), the same for the same size.
struct PictureBatch {
    std::vector<float> values; ///< without padding
    DeviceImages<float> in;
};

/// The side of square pictures to measure with: `most` pixels, less where one such picture has more
/// pixels than n descriptors have floats; a power of two.
std::size_t picture_side(const Scene &scene, std::size_t most);

/// Square pictures of `side` pixels.
PictureBatch make_pictures(const Scene &scene, std::size_t side);

} // namespace bowhist
