#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

namespace bowhist {

/// Descriptors of images, of which each has a histogram.
class RowsToCount {
  public:
    void add(Descriptors &&image);
    std::size_t rows() const { return bag_.size(); }
    std::size_t images() const { return values_.size(); }
    /// All of them, end to end; joined by the first call.
    Batch batch();

  private:
    void join();

    std::vector<std::vector<float>> values_; ///< of each image, until they are joined
    std::vector<std::size_t> firsts_;        ///< number of each image; then how many there are
    std::unique_ptr<float[]> joined_;
    std::vector<std::uint32_t> bag_; ///< of each row
};

/// Counts the words of batches. One thread calls.
class BatchCounter {
  public:
    virtual ~BatchCounter() = default;

    /// Counts of all images, ready or on their way. May wait for room.
    /// @throws as Assigner::run(), here or by the future
    virtual std::future<std::vector<std::uint32_t>> add(RowsToCount &&rows) = 0;
};

/// At once, or on several devices, of which each takes the next batch when it is free. A device
/// that fails gives its batch to the others and leaves (leave.hpp).
/// @param assigner  outlives the counter, as `others` and the observer do
/// @param others    use the assigner, too; may be null
std::unique_ptr<BatchCounter> make_batch_counter(Assigner &assigner, ImageCounter *others,
                                                 Observer &observer);

} // namespace bowhist
