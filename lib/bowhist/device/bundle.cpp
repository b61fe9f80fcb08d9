#include <bowhist/core/round_up.hpp>
#include <bowhist/device/bundle.hpp>

#include <algorithm>

namespace bowhist {

void Bundle::send(Device &device) const {
    const std::size_t alignment = device.alignment();
    std::vector<std::byte> all;
    std::vector<std::size_t> firsts;
    for (const Part &part : parts_) {
        firsts.push_back(all.size());
        all.insert(all.end(), part.values.begin(), part.values.end());
        all.resize(round_up(all.size() + 1, alignment)); // OpenCL knows no empty buffers
    }
    const Buffer<std::byte> memory = uploaded(device, all);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::size_t bytes = std::max<std::size_t>(parts_[i].values.size(), 1);
        *parts_[i].there = device.part(memory.memory, firsts[i], bytes);
    }
}

} // namespace bowhist
