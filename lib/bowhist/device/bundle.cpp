#include <bowhist/core/round_up.hpp>
#include <bowhist/device/bundle.hpp>
#include <bowhist/device/checked.hpp>

#include <algorithm>
#include <utility>

namespace bowhist {

Bundle::~Bundle() {
    const cl_event sent = sent_();
    if (sent != nullptr) clWaitForEvents(1, &sent); // a destructor cannot report errors
}

void Bundle::send(Device &device) {
    const std::vector<Part> parts = std::exchange(parts_, {});
    if (parts.empty()) return;
    if (sent_() != nullptr) checked(device.info(), [&] { std::exchange(sent_, {}).wait(); });
    const std::size_t alignment = device.alignment();
    std::vector<std::size_t> firsts;
    all_.clear();
    for (const Part &part : parts) {
        firsts.push_back(all_.size());
        all_.insert(all_.end(), part.values.begin(), part.values.end());
        all_.resize(round_up(all_.size() + 1, alignment)); // OpenCL knows no empty buffers
    }
    reserve(device, memory_, all_.size());
    sent_ = device.upload_later<std::byte>(memory_, all_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t bytes = std::max<std::size_t>(parts[i].values.size(), 1);
        *parts[i].there = device.part(memory_.memory, firsts[i], bytes);
    }
}

} // namespace bowhist
