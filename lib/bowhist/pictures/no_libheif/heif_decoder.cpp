#include <bowhist/pictures/module/decoders.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

namespace bowhist {

Raster decode_heif(const EncodedPicture &file, Colour /*colour*/, int /*side*/) {
    throw Error(Fault::input,
                fmt::format("{}, and this bowhist was built without libheif; convert it to JPEG",
                            file.header.format));
}

} // namespace bowhist
