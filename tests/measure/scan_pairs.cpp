// Scan, integral, compact, histogram256 and equalise, beside OpenCV's nearest of kin.
#include "tests/measure/operation_pairs.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/ops/compact.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/integral.hpp>
#include <bowhist/ops/scan.hpp>

#include <opencv2/imgproc.hpp>

#include <memory>

namespace bowhist::measure {
namespace {

constexpr std::size_t side = 2048;

/// The image and all results, on both sides.
struct Arena {
    explicit Arena(Device &device)
        : pixels(testing::random_pixels(side, side, 1, 180, 20)),
          image(testing::upload_images(device, pixels, side, side, 1, side)),
          equalized(allocate_images<std::uint8_t>(device, side, side)),
          sums(allocate_images<std::uint32_t>(device, side + 1, side + 1)),
          histogram(device.allocate<std::uint32_t>(256)),
          numbers(allocate_images<float>(device, side, side)),
          scanned(allocate_images<float>(device, side, side)),
          cv_image(side, side, CV_8U, pixels.data()) {
        const std::vector<float> values(pixels.begin(), pixels.end());
        device.upload<float>(numbers.pixels, values);
        cv_image.convertTo(cv_numbers, CV_32F);
    }

    std::vector<std::uint8_t> pixels;
    DeviceImages<std::uint8_t> image;
    DeviceImages<std::uint8_t> equalized;
    DeviceImages<std::uint32_t> sums;
    Buffer<std::uint32_t> histogram;
    DeviceImages<float> numbers;
    DeviceImages<float> scanned;
    cv::Mat cv_image;
    cv::Mat cv_numbers;
    cv::Mat cv_equalized;
    cv::Mat cv_sums;
    cv::Mat cv_histogram;
    cv::Mat cv_found;
};

void count_with_opencv(Arena &arena) {
    const int channel = 0;
    const int bins = 256;
    const float range[] = {0, 256};
    const float *ranges = range;
    cv::calcHist(&arena.cv_image, 1, &channel, cv::noArray(), arena.cv_histogram, 1, &bins,
                 &ranges);
}

} // namespace

std::vector<OperationPair> scan_pairs(Device &device) {
    const auto arena = std::make_shared<Arena>(device);
    const auto integral_of_floats = [arena] {
        cv::integral(arena->cv_numbers, arena->cv_sums, CV_32F);
    };
    return {
        {"integral",
         [arena, &device] {
             integral(device, arena->image, arena->sums, integral_method_for(device));
         },
         [arena] { cv::integral(arena->cv_image, arena->cv_sums, CV_32S); }},
        {"histogram256 / calcHist",
         [arena, &device] {
             histogram256(device, arena->image, arena->histogram, histogram_method_for(device));
         },
         [arena] { count_with_opencv(*arena); }},
        {"equalise / equalizeHist",
         [arena, &device] {
             equalize(device, arena->image, arena->equalized, histogram_method_for(device));
         },
         [arena] { cv::equalizeHist(arena->cv_image, arena->cv_equalized); }},
        // OpenCV has no prefix sums of rows or vectors: its integral of floats does one addition
        // more.
        {"scan rows, float / integral",
         [arena, &device] {
             scan_rows(device, arena->numbers, arena->scanned, ScanKind::inclusive,
                       scan_method_for(device));
         },
         integral_of_floats},
        {"scan vector, float / integral",
         [arena, &device] {
             scan(device, arena->numbers.pixels, arena->scanned.pixels, side * side,
                  ScanKind::inclusive, scan_method_for(device));
         },
         integral_of_floats},
        // Nor a compaction: findNonZero writes the places of half the pixels.
        {"compact, half kept / findNonZero",
         [arena, &device] {
             compact(device, arena->numbers.pixels, side * side, "value>109.5f",
                     arena->scanned.pixels, scan_method_for(device));
         },
         [arena] { cv::findNonZero(arena->cv_image > 109, arena->cv_found); }},
    };
}

} // namespace bowhist::measure
