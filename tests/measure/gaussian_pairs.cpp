// The recursive Gaussian and the transpose, beside OpenCV's GaussianBlur and transpose.
#include "tests/measure/operation_pairs.hpp"

#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include <memory>

namespace bowhist::measure {
namespace {

template <typename T>
OperationPair transpose_pair(Device &device, const std::string &name,
                             const std::shared_ptr<Arena<T>> &arena) {
    return {"transpose, " + name, [&device, arena] { transpose(device, arena->in, arena->out); },
            [arena] { cv::transpose(arena->cv_in, arena->cv_out); }};
}

} // namespace

std::vector<OperationPair> gaussian_pairs(Device &device) {
    const auto floats = std::make_shared<Arena<float>>(device);
    const auto bytes = std::make_shared<Arena<std::uint8_t>>(device);
    const auto scratch = std::make_shared<GaussianScratch>();
    std::vector<OperationPair> pairs = {transpose_pair(device, "float", floats),
                                        transpose_pair(device, "8-bit", bytes)};
    for (const double sigma : {0.5, 1., 2., 4., 8., 16.})
        pairs.push_back({fmt::format("Gaussian blur, sigma {}", sigma),
                         [&device, floats, scratch, sigma] {
                             gaussian_blur(device, floats->in, sigma, floats->out, *scratch);
                         },
                         [floats, sigma] {
                             cv::GaussianBlur(floats->cv_in, floats->cv_out, {}, sigma, sigma,
                                              cv::BORDER_REPLICATE);
                         }});
    return pairs;
}

} // namespace bowhist::measure
