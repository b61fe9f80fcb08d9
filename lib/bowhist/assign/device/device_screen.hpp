#pragma once

#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/ops/matrix.hpp>

#include <functional>
#include <memory>
#include <string_view>

namespace bowhist {

struct AssignOptions;

/// What becomes of the descriptors of one launch, on the device.
struct DeviceWords {
    Buffer<cl_int> words;       ///< each row's word
    Buffer<cl_uint> histograms; ///< images×k counts, added to
    Buffer<cl_uint> unproven; ///< [0] how many rows are listed, 0 before the screen; then the rows
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

    /// Makes room for launches of up to so many rows; for 0 it gives back what it has.
    virtual void reserve(std::size_t rows) = 0;

    /// Queues the launches that write and count the words which are proven and list every other
    /// row in `unproven`, for the rule to decide. Does not wait.
    virtual void run(const DeviceDescriptors &x, const DeviceWords &found) = 0;

    /// Rows of the last run that it could not prove at first and settled among a few contenders
    /// itself; the assigner counts them as unproven, with those that it decides. Waits.
    virtual std::uint64_t contested() { return 0; }
};

/// Prepares a screen for a vocabulary, of which `centroids` is the copy on the device (k×D).
using MakeScreen = std::function<std::unique_ptr<DeviceScreen>(
    const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
    const Buffer<float> &centroids, const AssignOptions &options)>;

} // namespace bowhist
