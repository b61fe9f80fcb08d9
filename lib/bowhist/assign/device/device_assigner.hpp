#pragma once

#include <bowhist/assign/device/device_search.hpp>

#include <chrono>

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

    /// What start() queued, and finish() waits for. It may serve again, or be given up.
    struct Counting {
        Buffer<cl_uint> found = {}; ///< images×k counts; behind them a Summary's numbers
        std::size_t counts = 0;     ///< images×k
        QueuedLaunches launches = {};
        std::chrono::steady_clock::time_point start = {};
        std::shared_ptr<void> under_way = {}; ///< until it is finished or given up
    };
    struct Counted {
        std::vector<std::uint32_t> counts; ///< images×k
        cl_uint wanted_room = 0;           ///< as DeviceDescriptors::count[1]
    };
    /// For descriptors that lie on the device already: queues the counting of their words. Others
    /// may be started before this is finished. It waits only where the host decides.
    /// @throws as run()
    void start(Counting &counting, const DeviceDescriptors &x, std::size_t images);
    /// The counts of what was started first and is not finished yet. @throws as run()
    Counted finish(Counting &counting);

    /// Queues the assignment alone; words and counts stay where they are found. What it found goes
    /// into the report later, by note() and take_times().
    void queue(const DeviceDescriptors &x, const DeviceWords &found);
    void note(std::uint64_t rows, std::uint64_t unproven, double wall_seconds);

    /// Descriptors that a launch takes at most.
    std::size_t most_rows() const;

    /// Puts what was launched since into the report; waits for it.
    void take_times() { add_times(device_->take_launches()); }

    DeviceSearch &search() { return search_; }
    const std::shared_ptr<Device> &device() const { return device_; }

  private:
    struct Rows; ///< the part of a batch that one launch takes

    Assignment run_on_device(const Batch &batch);
    void make_room(std::size_t n);
    void reserve(std::size_t rows, std::size_t places);
    void release();
    void clear(Buffer<cl_uint> &histograms, std::size_t images, std::size_t more = 0);
    void upload(const Rows &rows, const DeviceDescriptors &place, bool ahead);
    void launch(const Rows &rows, DeviceDescriptors place);
    void collect(std::span<std::int32_t> words);
    void add_times(const LaunchLog &log);
    void note_time(std::chrono::steady_clock::time_point start);
    void check_words(std::uint64_t rows, std::uint64_t with_word) const;

    std::shared_ptr<Device> device_;
    Observer *observer_;
    std::size_t batch_rows_; ///< most rows a launch; halved when memory does not suffice
    DeviceSearch search_;
    /// Of one launch each: one is filled while another is read.
    std::vector<DeviceDescriptors> places_;
    DeviceWords found_;             ///< of the launch at hand
    std::size_t reserved_rows_ = 0; ///< what each place and its words hold
    /// The report has the time until then, but for what is under way, which tells its own.
    std::chrono::steady_clock::time_point noted_ = {};
    std::shared_ptr<void> under_way_ = std::make_shared<int>(); ///< shared by what was started
};

} // namespace bowhist
