#include <bowhist/pictures/module/decoders.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

namespace bowhist {

DecodedPicture decode_by_opencv(const EncodedPicture &file, Colour /*colour*/, int /*side*/) {
    throw Error(Fault::input,
                fmt::format("{}, and this bowhist was built without OpenCV and does not read it; "
                            "convert it to JPEG",
                            file.header.format));
}

std::vector<std::uint8_t> encode_by_opencv(const std::string & /*ending*/,
                                           const Raster & /*picture*/) {
    throw Error(Fault::output, "this bowhist was built without OpenCV and writes no pictures");
}

Raster draw_by_opencv(const Image & /*image*/, std::span<const Keypoint> /*keypoints*/,
                      KeypointShape /*shape*/) {
    throw Error(Fault::output, "this bowhist was built without OpenCV and draws no keypoints");
}

void use_one_opencv_thread() {}

} // namespace bowhist
