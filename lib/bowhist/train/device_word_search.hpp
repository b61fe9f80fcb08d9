#pragma once

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/train/joined_totals.hpp>
#include <bowhist/train/row_groups.hpp>
#include <bowhist/train/rows_on_device.hpp>
#include <bowhist/train/word_search.hpp>

#include <limits>

namespace bowhist {

/// Descriptors that stay on a device, or are sent there in each run, while it finds the words of
/// those before. A device with float64 moves the centroids, too: an iteration then sends nothing
/// else to it, and reads back a few numbers at once.
///
/// Protocol: as WordSearch's. run() already moves the centroids, into a second buffer, and packs
/// them for the next run; move() makes them the current ones. Sums of a team go to the host in
/// between, and those of the others, or of all, come back.
class DeviceWordSearch : public WordSearch {
  public:
    /// @param rows  outlive the search
    /// @param assigner  one on_device()
    /// @param sent_rows  of a part that is sent; 0: all rows stay
    /// @param most_kept  bytes of the parts that stay nevertheless, if they have room
    /// @throws OutOfMemory
    DeviceWordSearch(const DescriptorRows &rows, std::unique_ptr<Assigner> assigner,
                     std::size_t sent_rows = 0,
                     std::size_t most_kept = std::numeric_limits<std::size_t>::max());

    void replace(const Vocabulary &vocabulary) override;
    void forget() override;
    Iteration run(CentroidSums &sums) override;
    void move(const CentroidSums &sums) override;
    FarRows far_rows(std::size_t count) override;
    bool on_device() const override { return true; }
    DeviceWordSearch *of_one_device() override { return this; }
    bool finds_farthest_on_device(std::size_t count) const override;
    Vocabulary vocabulary() override;
    std::vector<std::int32_t> &words() override;
    const AssignmentReport &report() override;

    /// Whether the device can measure groups: it moves the centroids, and the rows stay there.
    bool measures_groups() const { return move_words_ && values_->stay(); }
    /// All rows, in order. REQUIRES: measures_groups(), and as farthest()
    std::vector<RowGroup> measured_groups();
    /// Words of some rows of one group.
    void read_words(std::size_t first, std::span<std::int32_t> words);
    const std::shared_ptr<Device> &device() const { return device_; }
    /// A team member's own sums of the last run, to be had once.
    std::shared_ptr<TeamTotals> take_totals() { return totals_.take(); }
    /// Memory for those of a later run.
    void reuse(std::shared_ptr<TeamTotals> totals) { totals_.reuse(std::move(totals)); }

  private:
    /// The descriptors of one launch, without their values where they do not stay.
    struct Part {
        DeviceDescriptors rows;
        Buffer<cl_int> words;
        Buffer<cl_int> before; ///< the words of the previous run; -1 at first
    };

    std::size_t room_for_rows() const;
    Iteration run_on_device(CentroidSums &sums);
    void add_up(std::size_t number, const Buffer<float> &values, const CentroidSums &sums);

    std::unique_ptr<Assigner> assigner_;
    DeviceAssigner &on_device_; ///< assigner_
    std::shared_ptr<Device> device_;
    const DescriptorRows &rows_;
    std::size_t dimensions_;
    std::size_t k_;
    JoinedTotals totals_;
    Kernel order_by_word_;
    Kernel sum_by_word_;
    std::optional<Kernel> move_words_; ///< nothing where the host moves the centroids
    std::unique_ptr<RowsOnDevice> values_;
    std::vector<Part> parts_;
    DeviceWords found_; ///< of the current part; its histogram counts down as rows are ordered
    DeviceImages<cl_uint> left_;
    DeviceImages<cl_uint>
        starts_; ///< of each word's rows in the order; then the end of the last ones
    Buffer<cl_uint> order_;
    Buffer<cl_uint> counts_; ///< of all parts
    Buffer<cl_uint> sums_;   ///< two for each number
    DeviceCentroids next_;
    Buffer<cl_double> farthest_;      ///< squared, of each group's farthest row in a part
    Buffer<cl_uint> record_;          ///< in the order of EXTENT_NORM and RECORD_MOVED
    std::vector<cl_uint> recorded_;   ///< record_ of the last run
    bool packed_ = false;             ///< the screen has next_, which follows the current centroids
    std::size_t launched_ = 0;        ///< parts since the last report()
    std::vector<std::int32_t> words_; ///< the result of words()
};

} // namespace bowhist
