// Scan, integral, compact, histogram256 and equalise, beside OpenCV's nearest of kin.
#include "tests/measure/operation_pairs.hpp"

#include <bowhist/ops/compact.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/integral.hpp>
#include <bowhist/ops/scan.hpp>

#include <opencv2/imgproc.hpp>

#include <memory>

namespace bowhist::measure {
namespace {

/// Greys, the same as numbers, and all results.
struct ScanArena : Arena<std::uint8_t> {
    explicit ScanArena(Device &device)
        : Arena(device), numbers(device),
          sums(allocate_images<std::uint32_t>(device, side + 1, side + 1)),
          histogram(device.allocate<std::uint32_t>(256)) {
        cv_in.convertTo(numbers.cv_in, CV_32F);
        device.upload<float>(numbers.in.pixels, {numbers.cv_in.ptr<float>(), side * side});
    }

    Arena<float> numbers;
    DeviceImages<std::uint32_t> sums;
    Buffer<std::uint32_t> histogram;
    cv::Mat cv_sums; // of their own, so that none is allocated anew
    cv::Mat cv_float_sums;
    cv::Mat cv_histogram;
    cv::Mat cv_found;
};

void count_with_opencv(ScanArena &arena) {
    const int channel = 0;
    const int bins = 256;
    const float range[] = {0, 256};
    const float *ranges = range;
    cv::calcHist(&arena.cv_in, 1, &channel, cv::noArray(), arena.cv_histogram, 1, &bins, &ranges);
}

} // namespace

std::vector<OperationPair> scan_pairs(Device &device) {
    const auto arena = std::make_shared<ScanArena>(device);
    const auto integral_of_floats = [arena] {
        cv::integral(arena->numbers.cv_in, arena->cv_float_sums, CV_32F);
    };
    return {
        {"integral",
         [arena, &device] {
             integral(device, arena->in, arena->sums, integral_method_for(device));
         },
         [arena] { cv::integral(arena->cv_in, arena->cv_sums, CV_32S); }},
        {"histogram256 / calcHist",
         [arena, &device] {
             histogram256(device, arena->in, arena->histogram, histogram_method_for(device));
         },
         [arena] { count_with_opencv(*arena); }},
        {"equalise / equalizeHist",
         [arena, &device] {
             equalize(device, arena->in, arena->out, histogram_method_for(device));
         },
         [arena] { cv::equalizeHist(arena->cv_in, arena->cv_out); }},
        // OpenCV has no prefix sums of rows or vectors: its integral of floats does one addition
        // more.
        {"scan rows, float / integral",
         [arena, &device] {
             scan_rows(device, arena->numbers.in, arena->numbers.out, ScanKind::inclusive,
                       scan_method_for(device));
         },
         integral_of_floats},
        {"scan vector, float / integral",
         [arena, &device] {
             scan(device, arena->numbers.in.pixels, arena->numbers.out.pixels, side * side,
                  ScanKind::inclusive, scan_method_for(device));
         },
         integral_of_floats},
        // Nor a compaction: findNonZero writes the places of half the pixels.
        {"compact, half kept / findNonZero",
         [arena, &device] {
             compact(device, arena->numbers.in.pixels, side * side, "value>109.5f",
                     arena->numbers.out.pixels, scan_method_for(device));
         },
         [arena] { cv::findNonZero(arena->cv_in > 109, arena->cv_found); }},
    };
}

} // namespace bowhist::measure
