#include <bowhist/pictures/module/decoders.hpp>

#include <bowhist/core/error.hpp>

namespace bowhist {

Raster decode_subsampled_jp2(const EncodedPicture & /*file*/, Colour /*colour*/, int /*side*/) {
    throw Error(Fault::input,
                "JPEG 2000 with fewer samples of colour than pixels, and this bowhist "
                "was built without OpenJPEG; convert it to PNG or JPEG");
}

} // namespace bowhist
