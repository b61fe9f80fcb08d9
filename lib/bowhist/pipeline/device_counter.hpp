#pragma once

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/encode/device/device_preparation.hpp>
#include <bowhist/encode/device/device_tally.hpp>
#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace bowhist {

/// Counts batches of images on a device, on a thread of its own. Threads that add images copy them,
/// side by side, into the pinned memory of one batch while others are on the device. A batch is
/// counted once it is full, or an eighth full while the device is idle. While the device counts one
/// batch, it has the next (docs/adr/0029-two-batches-at-a-time.md).
class DeviceCounter : public ImageCounter {
  public:
    /// @param recipe    runs on devices
    /// @param assigner  outlives the counter; others use it only while they hold pause()
    /// @param preparation  null: none
    /// @param tally        makes tallies in place of counts
    /// @throws OutOfMemory
    DeviceCounter(const Recipe &recipe, DeviceAssigner &assigner, const Preparation *preparation,
                  const std::optional<TallyShape> &tally = {});
    ~DeviceCounter() override;

    bool takes(const Image &image) const override;
    PendingCounts add(Image image) override;
    void flush() override;
    using ImageCounter::pause;
    std::unique_lock<std::mutex> pause() override { return std::unique_lock(working_); }
    double seconds_left() const override;
    std::exception_ptr failure() const override;

  private:
    struct Batch {
        std::unique_ptr<StagedBuffer> pixels; ///< null after a failure
        DeviceAssigner::Counting counting = {};
        Buffer<cl_uint> tallies = {}; ///< of the images
        std::vector<LaunchImage> images = {};
        std::size_t size = 0;    ///< pixels of the images
        std::size_t copying = 0; ///< images that are not copied yet
        std::promise<std::vector<std::uint32_t>> counts = {};
        std::shared_future<std::vector<std::uint32_t>> pending = {};
        std::exception_ptr failure = {}; ///< to send the batch
        bool started = false;            ///< the batch is on the device
    };

    Batch *batch_for(std::size_t pixels, std::unique_lock<std::mutex> &lock);
    void close_if_awaited();
    void close();
    void hand_over(Batch &batch);

    // On the thread that counts.
    void work();
    Batch *next();
    void start(Batch &batch);
    void finish(Batch &batch);
    void note_pace(const Batch &batch);
    void fail(std::exception_ptr failure);
    void recycle(Batch &batch);

    DeviceAssigner &assigner_;
    std::shared_ptr<Device> device_;
    std::unique_ptr<DeviceExtractor> extractor_;     ///< null after a failure
    std::unique_ptr<DevicePreparation> preparation_; ///< null after a failure, or without steps
    std::optional<DeviceTally> tally_;               ///< nothing after a failure, too
    std::size_t batch_pixels_;
    std::size_t batch_images_;
    std::mutex working_;          ///< guards assigner_; locked before mutex_, never after it
    std::deque<Batch *> started_; ///< of the thread that counts alone; finished in this order

    mutable std::mutex mutex_; ///< guards what follows, except a batch that is on the device
    std::condition_variable freed_;
    std::condition_variable filled_;
    std::array<Batch, 4> batches_; ///< one fills, one goes up, two are on the device
    std::vector<Batch *> free_;    ///< into batches_, as all pointers to a batch
    Batch *filling_ = nullptr;
    bool idle_ = false;          ///< the device is idle, and the thread that counts waits
    std::deque<Batch *> full_;   ///< null ends the thread
    std::exception_ptr failure_; ///< set by the thread that counts
    double pixels_left_ = 0;     ///< added, and not counted
    double pixels_counted_ = 0;
    double seconds_counting_ = 0;                        ///< them; what overlaps once
    std::chrono::steady_clock::time_point counted_ = {}; ///< the last batch
    std::thread worker_;
};

} // namespace bowhist
