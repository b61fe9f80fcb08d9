#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/ops/image_batch.hpp>

#include <opencv2/core.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bowhist::measure {

/// One operation, ours on a device and OpenCV's, on the same 2048 × 2048 image in memory where
/// each finds it. Neither allocates its result while it is timed.
struct OperationPair {
    std::string name;
    std::function<void()> ours; ///< launches; need not wait
    std::function<void()> theirs;
};

constexpr std::size_t side = 2048;

/// The same noise on both sides, and where results go.
template <typename T>
struct Arena {
    explicit Arena(Device &device)
        : cv_in(side, side, cv::DataType<T>::type), in(allocate_images<T>(device, side, side)),
          out(allocate_images<T>(device, side, side)) {
        cv::randu(cv_in, 20, 200);
        device.upload<T>(in.pixels, {cv_in.ptr<T>(), side * side});
    }

    cv::Mat cv_in;
    cv::Mat cv_out;
    DeviceImages<T> in;
    DeviceImages<T> out;
};

/// The rows of the table: one file of tests/measure a family of operations, one line here.
std::vector<OperationPair> scan_pairs(Device &device);
std::vector<OperationPair> gaussian_pairs(Device &device);
std::vector<OperationPair> convolve_pairs(Device &device);

inline std::vector<OperationPair> operation_pairs(Device &device) {
    std::vector<OperationPair> pairs;
    for (const auto family : {scan_pairs, gaussian_pairs, convolve_pairs})
        for (OperationPair &pair : family(device)) pairs.push_back(std::move(pair));
    return pairs;
}

} // namespace bowhist::measure
