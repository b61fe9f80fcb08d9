#include <bowhist/files/picture_writer.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/files/atomic_file.hpp>
#include <bowhist/files/ending.hpp>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include <vector>

namespace bowhist {
namespace {

std::vector<std::uint8_t> encoded(const std::filesystem::path &path, const Image &image) {
    // OpenCV wants to be able to write the pixels, and does not.
    const cv::Mat grey(image.height, image.width, CV_8UC1,
                       const_cast<std::uint8_t *>(image.pixels.data()));
    std::vector<std::uint8_t> bytes;
    try {
        if (cv::imencode(ending_of(path), grey, bytes)) return bytes;
    } catch (const cv::Exception &) { // told below
    }
    throw Error(Fault::output,
                fmt::format("{}: OpenCV {} cannot write {}x{} pixels so; try another ending, such "
                            "as .png",
                            printable(path), CV_VERSION, image.width, image.height));
}

} // namespace

void write_picture(const std::filesystem::path &path, const Image &image) {
    if (!is_writable_picture(path))
        throw Error(Fault::output, fmt::format("{}: its ending names no picture's format; end it "
                                               "in one of {}",
                                               printable(path), writable_picture_endings()));
    const std::vector<std::uint8_t> bytes = encoded(path, image);
    AtomicFile file(path);
    file.write(bytes_of(bytes));
    file.commit();
}

} // namespace bowhist
