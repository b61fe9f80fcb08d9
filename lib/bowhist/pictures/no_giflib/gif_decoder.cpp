#include <bowhist/pictures/module/decoders.hpp>

#include <bowhist/core/error.hpp>

namespace bowhist {

Raster decode_gif(const EncodedPicture & /*file*/, Colour /*colour*/, int /*side*/) {
    throw Error(Fault::input,
                "GIF, and this bowhist was built without giflib; convert it to PNG or JPEG");
}

} // namespace bowhist
