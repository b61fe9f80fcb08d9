#pragma once

#include <bowhist/assign/device/device_screen.hpp>

#include <chrono>
#include <functional>

namespace bowhist {

/// Rows a launch: as requested, else enough to fill the device; in any case few enough for its
/// memory and for the kernels' 32-bit indices.
/// @param requested  0: any
/// @param numbers    of a row, of four bytes
std::size_t rows_a_launch(std::size_t requested, const Device &device, std::size_t numbers);

/// Half of `rows`, with a warning, where memory had no room for them. @throws the error for few
std::size_t fewer_rows(std::size_t rows, const OutOfMemory &error, Observer &observer);

/// The error of a kernel that is wrong: an edited one, or one that the driver compiled.
Error broken_kernel(const Device &device, std::string_view what);

/// Any device level, for batches of the host's. A launch takes some rows of a batch. If the device
/// has memory of its own, the rows of the next launch are uploaded while the kernels of this one
/// run. Launches take half as many rows, with a warning, when memory does not suffice: nothing of a
/// batch is counted before all its memory is there.
///
/// Protocol for descriptors on the device: start*, then finish for each, in the order of the
/// starts; or queue*, then take_times and note. run() may come between them.
class DeviceAssigner : public Assigner {
  public:
    DeviceAssigner(std::shared_ptr<Device> device, MakeScreen make_screen,
                   const Vocabulary &vocabulary, const AssignOptions &options);
    DeviceAssigner *on_device() override { return this; }
    Assignment run(const Batch &batch) override;
    void replace(const Vocabulary &vocabulary) override;

    /// The counting that start() queued and finish() waits for. It may be used again, or dropped.
    struct Counting {
        Buffer<cl_uint> found = {}; ///< bags×k counts; then a Summary's numbers
        std::size_t counts = 0;     ///< bags×k
        QueuedLaunches launches = {};
        std::chrono::steady_clock::time_point start = {};
        std::shared_ptr<void> under_way = {}; ///< until it is finished or dropped
    };
    struct Counted {
        std::vector<std::uint32_t> counts; ///< bags×k
        cl_uint wanted_room = 0;           ///< as DeviceDescriptors::count[1]
    };
    /// Queues the counting of words of descriptors on the device. Waits only where the host
    /// decides.
    /// @param then  queues what is to be done with each row's word; not called without rows
    /// @throws as run()
    void start(Counting &counting, const DeviceDescriptors &x, std::size_t bags,
               const std::function<void(const Buffer<cl_int> &words)> &then = {});
    /// The counts of the counting that was started first of those not finished. @throws as run()
    Counted finish(Counting &counting);

    /// Queues the assignment alone. note() and take_times() add it to the report.
    void queue(const DeviceDescriptors &x, const DeviceWords &found) {
        report_.device_seconds += search_.assign(x, found);
    }
    void note(std::uint64_t rows, std::uint64_t unproven, double wall_seconds);
    /// The report as it was, before a trial.
    void put_back(const AssignmentReport &report) { report_ = report; }

    /// The most descriptors of a launch.
    std::size_t most_rows() const;
    /// The most descriptors of a launch by run(): as requested, and as memory allows.
    std::size_t batch_rows() const { return batch_rows_; }

    /// Waits for all launches and adds their times to the report.
    void take_times() { add_times(device_->take_launches()); }

    DeviceSearch &search() { return search_; }
    const std::shared_ptr<Device> &device() const { return device_; }

  private:
    struct Rows; ///< the part of a batch that one launch takes

    Assignment run_on_device(const Batch &batch);
    void make_room(std::size_t n);
    void reserve(std::size_t rows, std::size_t places);
    void release();
    void clear(Buffer<cl_uint> &histograms, std::size_t bags, std::size_t more = 0);
    void upload(const Rows &rows, const DeviceDescriptors &place, bool ahead);
    void launch(const Rows &rows, DeviceDescriptors place);
    void collect(std::span<std::int32_t> words);
    void add_times(const LaunchLog &log);
    void note_time(std::chrono::steady_clock::time_point start);
    void check_words(std::uint64_t rows, std::uint64_t with_word) const;

    std::shared_ptr<Device> device_;
    Observer *observer_;     ///< outlives the assigner
    std::size_t batch_rows_; ///< most rows a launch; halved when memory does not suffice
    DeviceSearch search_;
    /// Each has the rows of one launch: one is filled while another is read.
    std::vector<DeviceDescriptors> places_;
    DeviceWords found_;             ///< of the current launch
    std::size_t reserved_rows_ = 0; ///< room of each place
    /// The report has the time until then, except for countings under way, which add their own.
    std::chrono::steady_clock::time_point noted_ = {};
    std::shared_ptr<void> under_way_ = std::make_shared<int>(); ///< shared by countings under way
};

} // namespace bowhist
