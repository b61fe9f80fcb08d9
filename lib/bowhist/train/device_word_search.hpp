#pragma once

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/train/word_search.hpp>

namespace bowhist {

/// Descriptors that stay on a device. Where it has float64, the centroids are moved there, too: of
/// an iteration only some numbers come to the host, in one read, and nothing goes the other way.
///
/// A run moves the centroids right away, into a second buffer, and packs them for the next one.
class DeviceWordSearch : public WordSearch {
  public:
    /// @param descriptors  borrowed
    /// @param assigner  a DeviceAssigner
    /// @throws OutOfMemory
    DeviceWordSearch(const Descriptors &descriptors, std::unique_ptr<Assigner> assigner);
    DeviceWordSearch(Descriptors &&descriptors, std::unique_ptr<Assigner> assigner) = delete;

    void replace(const Vocabulary &vocabulary) override;
    void forget() override;
    Iteration run(CentroidSums &sums) override;
    void move(const CentroidSums &sums) override;
    Descriptors farthest(std::size_t count) override;
    bool on_device() const override { return true; }
    bool finds_farthest_on_device(std::size_t count) const override;
    Vocabulary vocabulary() override;
    std::vector<std::int32_t> &words() override;
    const AssignmentReport &report() override;

  private:
    /// As many descriptors as a launch takes.
    struct Part {
        DeviceDescriptors rows;
        Buffer<cl_int> words;
        Buffer<cl_int> before; ///< the words of the run before; -1 at first
    };

    /// Rows, and how far the farthest of them is from its word.
    struct RowGroup {
        std::size_t first;
        std::size_t size;
        double distance; ///< squared
    };

    Iteration run_on_device(CentroidSums &sums);
    std::vector<RowGroup> measured_groups();
    void add_up(Part &part, const CentroidSums &sums);
    void measure(const RowGroup &group, const Vocabulary &centroids, Descriptors &rows,
                 std::vector<std::int32_t> &words);
    Error broken(std::string_view what) const;

    std::unique_ptr<Assigner> assigner_;
    DeviceAssigner &on_device_;
    std::shared_ptr<Device> device_;
    const Descriptors &descriptors_;
    std::size_t dimensions_;
    std::size_t k_;
    Kernel order_by_word_;
    Kernel sum_by_word_;
    std::optional<Kernel> move_words_; ///< none where the host moves the centroids
    std::vector<Part> parts_;
    DeviceWords found_; ///< of the part at hand; its histogram is what is left to order
    DeviceImages<cl_uint> left_;
    DeviceImages<cl_uint> starts_; ///< of each word's rows in the order, and where the last end
    Buffer<cl_uint> order_;
    Buffer<cl_uint> counts_; ///< of all parts
    Buffer<cl_uint> sums_;   ///< two to a number
    DeviceCentroids next_;
    Buffer<cl_double> farthest_; ///< squared, of each group's farthest row in a part
    Buffer<cl_uint> tells_;      ///< what TOLD_MOVED and those after it are
    std::vector<cl_uint> told_;  ///< by the last run
    bool packed_ = false;        ///< next_ in place of the centroids at hand, which it follows
    std::uint64_t rows_run_ = 0; ///< since the report was asked for, as the others
    std::uint64_t unproven_ = 0;
    std::size_t runs_ = 0; ///< of all time
    double wall_seconds_ = 0;
    std::vector<std::int32_t> words_; ///< as last asked for
};

} // namespace bowhist
