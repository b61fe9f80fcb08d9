#pragma once

#include <bowhist/assign/device/device_search.hpp>

namespace bowhist {

/// Any device level, for batches of the host's. They go in launches of some rows each. Where the
/// device has memory of its own, the rows of the next launch are uploaded while the kernels of this
/// one run. Where that memory does not suffice, it goes on with launches of half the size, with a
/// warning: nothing of a batch is counted before all its memory is there.
class DeviceAssigner : public Assigner {
  public:
    DeviceAssigner(std::shared_ptr<Device> device, MakeScreen make_screen,
                   const Vocabulary &vocabulary, const AssignOptions &options);
    Assignment run(const Batch &batch) override;
    void replace(const Vocabulary &vocabulary) override;

    /// For descriptors that lie on the device already: the images×k counts of their words.
    /// @throws as run()
    std::vector<std::uint32_t> count(const DeviceDescriptors &x, std::size_t images);

    /// Queues the same; words and counts stay where they are found. What it found goes into the
    /// report later, by note() and take_times().
    void queue(const DeviceDescriptors &x, const DeviceWords &found);
    /// @param unproven  rows that the rule decided; what the screen settled itself is asked here
    void note(std::uint64_t rows, std::uint64_t unproven, double wall_seconds);

    /// Descriptors that a call of count() takes at most.
    std::size_t most_rows() const;

    /// Puts what was launched since into the report.
    void take_times();

    DeviceSearch &search() { return search_; }
    const std::shared_ptr<Device> &device() const { return device_; }

  private:
    struct Rows; ///< the part of a batch that one launch takes

    Assignment run_on_device(const Batch &batch);
    std::vector<std::uint32_t> count_on_device(const DeviceDescriptors &x);
    void make_room(std::size_t n);
    void reserve(std::size_t rows, std::size_t places);
    void release();
    void clear_histograms(std::size_t images);
    void upload(const Rows &rows, const DeviceDescriptors &place, bool ahead);
    void launch(const Rows &rows, DeviceDescriptors place);
    void collect(std::span<std::int32_t> words);
    void check_words(std::uint64_t rows, std::uint64_t with_word) const;

    std::shared_ptr<Device> device_;
    Observer *observer_;
    std::size_t batch_rows_; ///< most rows a launch; halved when memory does not suffice
    DeviceSearch search_;
    /// Of one launch each: one is filled while another is read.
    std::vector<DeviceDescriptors> places_;
    DeviceWords found_;             ///< of the launch at hand
    std::size_t reserved_rows_ = 0; ///< what each place and its words hold
};

} // namespace bowhist
