#pragma once

#include <bowhist/device/device.hpp>

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
