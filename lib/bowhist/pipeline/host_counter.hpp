#pragma once

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/encode/preparation.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

namespace bowhist {

/// Counts each image at once, on the thread that adds it: its descriptors are in the caches
/// still.
class HostCounter : public ImageCounter {
  public:
    /// @param preparation  null: none
    HostCounter(const Extractor &extractor, HostAssigner &assigner, const Preparation *preparation)
        : extractor_(extractor), assigner_(assigner), preparation_(preparation) {}

    bool takes(const Image & /*image*/) const override { return true; }

    PendingCounts add(Image image) override {
        std::promise<std::vector<std::uint32_t>> counts;
        Descriptors found = extractor_.extract(image);
        if (preparation_) found = prepare(*preparation_, found, image.width, image.height);
        counts.set_value(assigner_.count(found.values));
        return {counts.get_future().share()};
    }

  private:
    const Extractor &extractor_;
    HostAssigner &assigner_;
    const Preparation *preparation_;
};

} // namespace bowhist
