#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

/// What OpenCV, giflib and libheif do for us. They bring well over a hundred shared libraries,
/// which would cost every start of a program a tenth of a second; so they live in a module that is
/// loaded when it is first asked for.
struct Codecs {
    /// The picture, at most `side` pixels a side (0 keeps the size). Every kind but JPEG.
    /// @throws Error{Fault::input} without a path: damaged, or not of this build; std::bad_alloc
    Raster (*decode)(const EncodedPicture &file, Colour colour, int side);

    /// A file of the picture, of the format that the ending (".png") names.
    /// @throws Error{Fault::output} without a path
    std::vector<std::uint8_t> (*encode)(const std::string &ending, const Image &image);

    void (*use_one_thread)(); ///< keeps the libraries from starting threads in this process
};

/// The module, loaded once. Safe to call from many threads.
/// @throws Error{Fault::input}: it is not installed, or cannot be loaded
const Codecs &codecs();

} // namespace bowhist
