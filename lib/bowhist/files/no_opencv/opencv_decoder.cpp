#include <bowhist/files/opencv_decoder.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

namespace bowhist {

Raster decode_by_opencv(PictureFile file, Colour /*colour*/, int /*side*/) {
    throw Error(Fault::input,
                fmt::format("{}, and this bowhist was built without OpenCV and does not read it; "
                            "convert it to JPEG",
                            file.header.format));
}

} // namespace bowhist
