#include <bowhist/pictures/module/decoders.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

namespace bowhist {

std::vector<std::uint8_t> encode_by_opencv(const std::string &ending, const Image &image) {
    // OpenCV wants to be able to write the pixels, and does not.
    const cv::Mat grey(image.height, image.width, CV_8UC1,
                       const_cast<std::uint8_t *>(image.pixels.data()));
    std::vector<std::uint8_t> bytes;
    try {
        if (cv::imencode(ending, grey, bytes)) return bytes;
    } catch (const cv::Exception &) { // told below
    }
    throw Error(Fault::output,
                fmt::format("OpenCV {} cannot write {}x{} pixels so; try another ending, such as "
                            ".png",
                            CV_VERSION, image.width, image.height));
}

} // namespace bowhist
