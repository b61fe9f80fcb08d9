#pragma once

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

namespace bowhist {

/// Counts each image at once, on the thread that adds it: its descriptors are in the caches
/// still.
class HostCounter : public ImageCounter {
  public:
    HostCounter(const Extractor &extractor, HostAssigner &assigner)
        : extractor_(extractor), assigner_(assigner) {}

    bool takes(const Image & /*image*/) const override { return true; }

    PendingCounts add(Image image) override {
        std::promise<std::vector<std::uint32_t>> counts;
        counts.set_value(assigner_.count(extractor_.extract(image).values));
        return {counts.get_future().share()};
    }

  private:
    const Extractor &extractor_;
    HostAssigner &assigner_;
};

} // namespace bowhist
