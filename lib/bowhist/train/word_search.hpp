#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/core/iteration.hpp>
#include <bowhist/train/centroid_sums.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// Finds the words of a training's descriptors again and again, adds them up and moves the
/// centroids, wherever they lie.
class WordSearch {
  public:
    virtual ~WordSearch() = default;

    /// Goes on with other centroids.
    virtual void replace(const Vocabulary &vocabulary) = 0;

    /// As if there had been no run.
    virtual void forget() = 0;

    /// The sums start again from the words of the centroids at hand. They may stay on a device:
    /// what holds of `sums` afterwards is empty(), where there are such words.
    /// @return at first, all words are others than the time before
    virtual Iteration run(CentroidSums &sums) = 0;

    /// Puts each word that the last run found descriptors of on their mean.
    virtual void move(const CentroidSums &sums) = 0;

    /// So many descriptors that are farthest from their words' centroids, as of the last run; in
    /// order, of equal ones the first. To be asked between run() and move().
    /// @throws Error{Fault::device} when a kernel measures wrong
    virtual Descriptors farthest(std::size_t count) = 0;

    /// The centroids at hand.
    virtual Vocabulary vocabulary() = 0;

    /// Each descriptor's, as of the last run. Whoever takes them away makes it forget().
    virtual std::vector<std::int32_t> &words() = 0;

    virtual const AssignmentReport &report() = 0;

    /// Whether the descriptors stay on a device, which adds them up.
    virtual bool on_device() const { return false; }
    /// Whether that device looks for `count` farthest descriptors; else the host does.
    virtual bool finds_farthest_on_device(std::size_t /*count*/) const { return false; }
};

/// Whether what the device adds up has the host's bits: its groups are large enough, it flushes no
/// subnormals, and its loops, some of them as long as the descriptors are many, run to their ends.
/// Else the host adds up.
bool adds_up_as_the_host(const Device &device);

/// On a device with memory of its own, descriptors that lie in memory stay there (or `anywhere`, on
/// any device), where there is room; else the host adds up. The rows outlive it.
std::unique_ptr<WordSearch> make_word_search(const DescriptorRows &rows, const LevelChoice &level,
                                             const Vocabulary &vocabulary, Observer &observer,
                                             bool anywhere = false);

} // namespace bowhist
