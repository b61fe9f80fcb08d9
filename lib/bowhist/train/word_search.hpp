#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/sums/centroid_sums.hpp>
#include <bowhist/train/word_distances.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace bowhist {

class DeviceWordSearch;

/// Assigns the descriptors of a training to words again and again, adds them up and moves the
/// centroids, wherever the descriptors lie.
///
/// Protocol: run, then farthest*, then move; again from run. replace and forget may come between
/// iterations. All runs take the same CentroidSums. One thread at a time.
class WordSearch {
  public:
    virtual ~WordSearch() = default;

    /// Continues with other centroids.
    virtual void replace(const Vocabulary &vocabulary) = 0;

    /// Forgets the words of all earlier runs.
    virtual void forget() = 0;

    /// Assigns all descriptors and adds them up. The sums may stay on a device: only empty() of
    /// `sums` is valid then, and only if there are empty words.
    /// @return of the first run, that all words moved
    virtual Iteration run(CentroidSums &sums) = 0;

    /// Moves each word that has descriptors since the last run to their mean.
    virtual void move(const CentroidSums &sums) = 0;

    /// The `count` descriptors farthest from their words' centroids, as of the last run; in order,
    /// the first among equal ones. REQUIRES: between run() and move().
    /// @throws Error{Fault::device} when a kernel measures wrong distances
    virtual FarRows far_rows(std::size_t count) = 0;
    Descriptors farthest(std::size_t count) { return far_rows(count).rows; }

    /// The current centroids.
    virtual Vocabulary vocabulary() = 0;

    /// Each descriptor's word, as of the last run. A caller that takes them calls forget() next.
    virtual std::vector<std::int32_t> &words() = 0;

    virtual const AssignmentReport &report() = 0;

    /// Whether the descriptors stay on a device, which adds them up.
    virtual bool on_device() const { return false; }
    /// Whether that device looks for `count` farthest descriptors; else the host does.
    virtual bool finds_farthest_on_device(std::size_t /*count*/) const { return false; }
    /// This search, if one device has all descriptors and adds them up; else null.
    virtual DeviceWordSearch *of_one_device() { return nullptr; }
};

/// Whether the device's sums have the host's bits: its groups are large enough, it flushes no
/// subnormals, and its loops, some over all descriptors, run to their ends. Else the host adds up.
bool adds_up_as_the_host(const Device &device);

/// Descriptors stay on a level's device that has memory of its own, and room for them; if it lacks
/// the room, they are sent there in each run. Several devices have a share each.
/// @param rows      outlive the search
/// @param anywhere  they also stay on a device without memory of its own
/// @param most_kept  bytes of them that stay on each device; nothing: as many as have room
std::unique_ptr<WordSearch> make_word_search(const DescriptorRows &rows, const LevelChoice &level,
                                             const Vocabulary &vocabulary, Observer &observer,
                                             bool anywhere = false,
                                             std::optional<std::size_t> most_kept = {});

} // namespace bowhist
