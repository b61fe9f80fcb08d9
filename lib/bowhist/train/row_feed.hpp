#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/uploads.hpp>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace bowhist {

/// A thread that reads descriptors again and again, and sends them to a device part by part, while
/// the device's own thread launches what reads those before. Rows that any thread may read are sent
/// ahead into the next pass, too: the device has them when it begins.
///
/// Protocol, for each pass: begin; for each part, in order: next, then done; end.
class RowFeed {
  public:
    /// The place that a part goes to.
    struct Target {
        const Buffer<float> *values = nullptr;
        bool stays = false;    ///< it does not take one of the places in turn
        bool is_there = false; ///< it is not sent
    };
    /// A part that is on its way, or there.
    struct Part {
        Target target = {};
        cl::Event arrival = {}; ///< null: it was there
    };

    /// @param rows     outlive the feed, as the places do
    /// @param stay     the target of a part that stays; none for others. Called by the feed's
    /// thread
    RowFeed(const DescriptorRows &rows, std::size_t part_rows, std::unique_ptr<Uploads> uploads,
            std::vector<const Buffer<float> *> places,
            std::function<Target(std::size_t part)> stay);
    /// Gives up the pass.
    ~RowFeed();
    RowFeed(const RowFeed &) = delete;
    RowFeed &operator=(const RowFeed &) = delete;

    void begin();
    /// Waits for it. @throws what the thread met: Error, also when rows cannot be read
    Part next();
    /// @param mark  when what reads it has ended
    void done(const Part &part, const cl::Event &mark);
    /// Waits until nothing reads rows that one thread at a time may read. @throws as next()
    void end();

  private:
    void serve();
    void take(std::span<const float> values);
    void send(std::span<const float> values);
    void open();
    void close();
    void abandon();
    void pass_on();

    const DescriptorRows &rows_;
    std::size_t part_numbers_;
    std::size_t numbers_;
    std::unique_ptr<Uploads> uploads_;
    std::vector<const Buffer<float> *> places_;
    std::function<Target(std::size_t part)> stay_;
    // The thread's own:
    std::size_t number_ = 0; ///< of the current part
    std::size_t used_ = 0;   ///< places in turn
    std::size_t filled_ = 0; ///< numbers of the current part
    Part current_;
    std::vector<Uploads::Sent> sending_; ///< of the current part
    struct Before {
        Part part;
        std::vector<Uploads::Sent> sending;
    };
    std::optional<Before> before_; ///< the part before, which may not be copied yet

    std::mutex mutex_; ///< of those below
    std::condition_variable changed_;
    std::deque<Part> ready_;
    std::deque<cl::Event> free_; ///< the places in turn: when each may be filled
    std::size_t wanted_ = 0;     ///< passes
    std::size_t read_ = 0;       ///< passes
    std::exception_ptr failure_;
    bool ends_ = false;
    std::thread thread_;
};

} // namespace bowhist
