#include <bowhist/files/picture.hpp>

#include <bowhist/files/opencv/decode.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <new>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

namespace bowhist {
namespace {

/// Runs `work` on the decoded picture; whatever a decoder does ends as an Error that names the
/// path.
template <typename Work>
auto with_picture(const std::filesystem::path &path, const PictureLimits &limits, Colour colour,
                  Work work) {
    static const auto silenced =
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    static_cast<void>(silenced);
    std::string_view format = "picture";
    const auto damaged = [&] {
        return Error(Fault::input,
                     fmt::format("{}: damaged, or a kind of {} that OpenCV {} does not read; get "
                                 "the picture again, or convert it to PNG or JPEG",
                                 printable(path), format, CV_VERSION));
    };
    try {
        auto file = read_picture_file(path, limits);
        format = file.header.format;
        const cv::Mat picture = decode(std::move(file), colour, limits.max_side);
        if (picture.empty()) throw damaged();
        return work(picture);
    } catch (const cv::Exception &error) {
        if (error.code != cv::Error::StsNoMem) throw damaged();
    } catch (const std::bad_alloc &) { // told below, as OpenCV's own
    }
    throw Error(
        Fault::input,
        fmt::format("{}: not enough memory to decode this {}; shrink it or lower --max-pixels",
                    printable(path), format));
}

Image to_image(const cv::Mat &grey) {
    Image image{.width = grey.cols, .height = grey.rows, .pixels = {}};
    image.pixels.reserve(grey.total());
    for (int y = 0; y < grey.rows; ++y) {
        const auto *row = grey.ptr<std::uint8_t>(y);
        image.pixels.insert(image.pixels.end(), row, row + grey.cols);
    }
    return image;
}

std::string to_jpeg(const cv::Mat &picture) {
    std::vector<std::uint8_t> bytes;
    cv::imencode(".jpg", picture, bytes, {cv::IMWRITE_JPEG_QUALITY, 80});
    return {bytes.begin(), bytes.end()};
}

} // namespace

Image read_picture(const std::filesystem::path &path, const PictureLimits &limits) {
    return with_picture(path, limits, Colour::grey, to_image);
}

std::string thumbnail_jpeg(const std::filesystem::path &path, int side) {
    return with_picture(path, {.max_side = side}, Colour::bgr, to_jpeg);
}

} // namespace bowhist
