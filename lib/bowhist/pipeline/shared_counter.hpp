#pragma once

#include <bowhist/assign/shared_assigner.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// Devices that share the images of a run: each image is added to the one that will have counted it
/// first, by the paces so far. One that failed gets no more; the caller adds again the images that
/// it had not counted.
class SharedCounter : public ImageCounter {
  public:
    struct Member {
        const SharedAssigner::Member *device; ///< outlives the counter, which uses its assigner
        std::unique_ptr<ImageCounter> counter;
        bool is_reported = false; ///< it failed, and the observer knows
    };
    /// @param members  at least one
    explicit SharedCounter(std::vector<Member> members) : members_(std::move(members)) {}

    bool takes(const Image &image) const override;
    PendingCounts add(Image image) override;
    void flush() override;
    using ImageCounter::pause;
    std::unique_lock<std::mutex> pause(const Assigner &assigner) override;
    /// One that failed for want of memory extracts no more; any other leaves (leave.hpp).
    bool report_failures(Observer &observer) override;

  private:
    /// The first of those that take it; null where none does.
    ImageCounter *counter_for(const Image &image) const;
    static bool works(const Member &member);

    std::vector<Member> members_;
};

} // namespace bowhist
