#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_descriptors.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace bowhist {

struct AssignOptions;

/// What becomes of the descriptors of one launch, on the device.
struct DeviceWords {
    Buffer<cl_int> words;       ///< each row's word
    Buffer<cl_uint> histograms; ///< images×k counts, added to
    Buffer<cl_uint> unproven; ///< [0] how many rows are listed, 0 before the screen; then the rows
};

/// k centroids that a device moved.
struct DeviceCentroids {
    Buffer<float> values;   ///< k×D
    Buffer<double> squares; ///< |c|² of each, its terms added up in order
    Buffer<cl_uint> extent; ///< its first EXTENT_SIZE numbers: what EXTENT_NORM and those after it
                            ///< tell; 0 before somebody does
};

/// How a device level finds words: fast, in whatever arithmetic suits the hardware, and proven.
class DeviceScreen {
  public:
    virtual ~DeviceScreen() = default;

    /// The file of cl/ that it built to search with.
    virtual std::string_view source() const = 0;

    /// Goes on with another vocabulary of the same shape; false where one is made anew instead.
    virtual bool replace(const Vocabulary & /*vocabulary*/, const Buffer<float> & /*centroids*/) {
        return false;
    }

    /// Queues the packing of centroids that the host does not know, in place of those at hand;
    /// false where it cannot, and nothing changes. Before the next run comes go_on() or replace().
    virtual bool pack(const DeviceCentroids & /*centroids*/) { return false; }

    /// Goes on with what was packed. @param extent  what that told
    virtual void go_on(const DeviceCentroids & /*centroids*/, std::span<const cl_uint> /*extent*/) {
    }

    /// Makes room for launches of up to so many rows; for 0 it gives back what it has.
    virtual void reserve(std::size_t rows) = 0;

    /// Queues the launches that write and count the words which are proven and list every other
    /// row in `unproven`, for the rule to decide. Does not wait.
    virtual void run(const DeviceDescriptors &x, const DeviceWords &found) = 0;

    /// One number that run() adds to, where there is one: rows that it could not prove at first and
    /// settled among a few contenders itself. They count as unproven, with those that the rule
    /// decides.
    virtual const Buffer<cl_uint> *contested() const { return nullptr; }
};

/// Prepares a screen for a vocabulary, of which `centroids` is the copy on the device (k×D).
using MakeScreen = std::function<std::unique_ptr<DeviceScreen>(
    const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
    const Buffer<float> &centroids, const AssignOptions &options)>;

} // namespace bowhist
