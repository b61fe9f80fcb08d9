#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

constexpr int shift = 4; // drawn in sixteenths of a pixel

int sixteenths(float pixels) {
    return cvRound(std::ldexp(pixels, shift));
}

cv::Point point(float x, float y) {
    return {sixteenths(x), sixteenths(y)};
}

/// From blue for the smallest scale of an image to red for the largest.
class Colors {
  public:
    explicit Colors(std::span<const Keypoint> keypoints) {
        for (const Keypoint &keypoint : keypoints) {
            const float octaves = std::log2(std::max(keypoint.scale, 0.1F));
            least_ = std::min(least_, octaves);
            most_ = std::max(most_, octaves);
        }
        // The ends of the map are too dark to be seen on a dark image.
        constexpr std::uint8_t first = 40;
        constexpr std::uint8_t last = 225;
        cv::Mat numbers(1, last - first + 1, CV_8UC1);
        std::iota(numbers.begin<std::uint8_t>(), numbers.end<std::uint8_t>(), first);
        cv::applyColorMap(numbers, map_, cv::COLORMAP_TURBO);
    }

    cv::Scalar of(const Keypoint &keypoint) const {
        const float octaves = std::log2(std::max(keypoint.scale, 0.1F)) - least_;
        const float share = most_ > least_ ? octaves / (most_ - least_) : 0.5F;
        return map_.at<cv::Vec3b>(0, cvRound(share * static_cast<float>(map_.cols - 1)));
    }

  private:
    float least_ = 1000;
    float most_ = -1000;
    cv::Mat map_;
};

void draw_circle(cv::Mat &onto, const Keypoint &keypoint, const cv::Scalar &color) {
    const float radius = std::max(2.0F, 2.5F * keypoint.scale);
    const cv::Point middle = point(keypoint.x, keypoint.y);
    const cv::Point end = point(keypoint.x + radius * std::cos(keypoint.orientation),
                                keypoint.y + radius * std::sin(keypoint.orientation));
    cv::circle(onto, middle, sixteenths(radius), color, 1, cv::LINE_AA, shift);
    if (keypoint.orientation != 0) cv::line(onto, middle, end, color, 1, cv::LINE_AA, shift);
}

void draw_square(cv::Mat &onto, const Keypoint &keypoint, const cv::Scalar &color) {
    const float half = (20 * keypoint.scale - 1) / 2; // to the middle of its outermost pixels
    cv::rectangle(onto, point(keypoint.x - half, keypoint.y - half),
                  point(keypoint.x + half, keypoint.y + half), color, 1, cv::LINE_8, shift);
}

/// Larger for a larger patch, so that dots in one place show as rings.
void draw_dot(cv::Mat &onto, const Keypoint &keypoint, const cv::Scalar &color) {
    const float radius = 0.5F * keypoint.scale;
    cv::circle(onto, point(keypoint.x, keypoint.y), sixteenths(radius), color, cv::FILLED,
               cv::LINE_AA, shift);
}

void draw_pixel(cv::Mat &onto, const Keypoint &keypoint, const cv::Scalar &color) {
    const cv::Point pixel(cvRound(keypoint.x), cvRound(keypoint.y));
    cv::rectangle(onto, pixel, pixel, color);
}

/// Whether the patches' outlines would hide the image.
bool too_dense(const cv::Mat &image, std::span<const Keypoint> patches) {
    double area = 0;
    for (const Keypoint &patch : patches) area += 400.0 * patch.scale * patch.scale;
    return area > 2 * static_cast<double>(image.total());
}

/// Whether their dots would.
bool too_dense_for_dots(const cv::Mat &image, std::span<const Keypoint> patches) {
    return 10 * patches.size() > image.total();
}

} // namespace

Raster draw_by_opencv(const Image &image, std::span<const Keypoint> keypoints,
                      KeypointShape shape) {
    Raster drawn{image.width, image.height, Color::bgr, {}};
    drawn.samples.resize(drawn.row_samples() * static_cast<std::size_t>(image.height));
    cv::Mat onto(image.height, image.width, CV_8UC3, drawn.samples.data());
    // OpenCV wants to be able to write the pixels, and does not.
    const cv::Mat grey(image.height, image.width, CV_8UC1,
                       const_cast<std::uint8_t *>(image.pixels.data()));
    cv::cvtColor(grey, onto, cv::COLOR_GRAY2BGR);

    std::vector<Keypoint> largest_first(keypoints.begin(), keypoints.end());
    std::ranges::stable_sort(largest_first, std::ranges::greater(), &Keypoint::scale);
    const Colors colors(keypoints);
    const auto draw = shape == KeypointShape::circle         ? draw_circle
                      : !too_dense(onto, keypoints)          ? draw_square
                      : !too_dense_for_dots(onto, keypoints) ? draw_dot
                                                             : draw_pixel;
    for (const Keypoint &keypoint : largest_first) draw(onto, keypoint, colors.of(keypoint));
    return drawn;
}

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
