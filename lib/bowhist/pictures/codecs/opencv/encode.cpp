#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

namespace bowhist {

std::vector<std::uint8_t> encode_by_opencv(const std::string &ending, const Raster &image) {
    // OpenCV wants to be able to write the samples, and does not.
    const cv::Mat samples(image.height, image.width, CV_8UC(static_cast<int>(image.color)),
                          const_cast<std::uint8_t *>(image.samples.data()));
    std::vector<std::uint8_t> bytes;
    try {
        if (cv::imencode(ending, samples, bytes)) return bytes;
    } catch (const cv::Exception &) { // reported below
    }
    throw Error(Fault::output,
                fmt::format("OpenCV {} cannot write {}x{} pixels so; try another ending, such as "
                            ".png",
                            CV_VERSION, image.width, image.height));
}

} // namespace bowhist
