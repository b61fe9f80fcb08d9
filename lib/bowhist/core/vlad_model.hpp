#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/projection.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace bowhist {

/// How a model was learned.
struct ModelOrigin {
    std::uint64_t seed = 0;
    int iterations = 0;
    double inertia = 0;            ///< over the prepared rows
    std::uint64_t descriptors = 0; ///< that it learned from, without mirrored ones
    std::uint64_t seen = 0;        ///< that these were drawn from
    std::uint64_t images = 0;      ///< that the projection learned from
    std::string version = {};      ///< of bowhist

    bool operator==(const ModelOrigin &) const = default;
};

/// All that makes rows and codes of images: `photos.npz`.
struct VladModel {
    Recipe recipe = {};           ///< of the images' descriptors
    Preparation preparation = {}; ///< of descriptors before words
    Vocabulary words = {};        ///< among prepared rows
    int exponent = 0;             ///< of VladEncoder
    Projection projection = {};   ///< of rows to codes; without axes rows stay whole
    ModelOrigin origin = {};
    std::string fingerprint = {}; ///< of all above but the origin

    bool makes_codes() const { return projection.axes.size() > 0; }
    /// Numbers in an image's row or code.
    std::size_t row_size() const {
        return makes_codes() ? projection.axes.size() : words.values.size();
    }
};

} // namespace bowhist
