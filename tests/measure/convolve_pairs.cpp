// Convolutions beside OpenCV's filter2D, sepFilter2D and GaussianBlur, in float32.
#include "bench/cases/filtered.hpp"
#include "tests/measure/operation_pairs.hpp"

#include <bowhist/ops/convolve_separable.hpp>
#include <bowhist/ops/named_filter.hpp>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include <memory>

namespace bowhist::measure {

std::vector<OperationPair> convolve_pairs(Device &device) {
    const auto arena = std::make_shared<Arena<float>>(device);
    std::vector<OperationPair> pairs;
    for (const std::size_t width : {3, 5, 7, 9, 11, 15, 31}) {
        const Filter filter = unseparable(width);
        pairs.push_back({fmt::format("filter2D {0} x {0}", width),
                         [=, &device] { convolve(device, arena->in, arena->out, filter); },
                         [=] {
                             const cv::Mat weights =
                                 cv::Mat(filter.weights).reshape(1, static_cast<int>(width));
                             cv::filter2D(arena->cv_in, arena->cv_out, CV_32F, weights);
                         }});
    }
    for (const std::size_t width : {3, 7, 15, 31}) {
        const auto weights = gaussian_weights(width, static_cast<double>(width) / 6);
        pairs.push_back(
            {fmt::format("sepFilter2D {0} x {0}", width),
             [=, &device] {
                 convolve_separable(device, arena->in, arena->out, {weights, weights});
             },
             [=] { cv::sepFilter2D(arena->cv_in, arena->cv_out, CV_32F, weights, weights); }});
    }
    for (const int width : {15, 31}) {
        const auto weights =
            gaussian_weights(static_cast<std::size_t>(width), static_cast<double>(width) / 6);
        pairs.push_back({fmt::format("GaussianBlur {0} x {0}", width),
                         [=, &device] {
                             convolve_separable(device, arena->in, arena->out, {weights, weights});
                         },
                         [=] {
                             cv::GaussianBlur(arena->cv_in, arena->cv_out, {width, width},
                                              static_cast<double>(width) / 6);
                         }});
    }
    return pairs;
}

} // namespace bowhist::measure
