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

/// The results of one launch, on the device.
struct DeviceWords {
    Buffer<cl_int> words;       ///< each row's word
    Buffer<cl_uint> histograms; ///< bags×k counts, to which the launch adds
    Buffer<cl_uint> unproven; ///< [0] how many rows are listed, 0 before the screen; then the rows
};

/// k centroids that a device moved, and the host does not know.
struct DeviceCentroids {
    Buffer<float> values;   ///< k×D
    Buffer<double> squares; ///< |c|² of each, its terms added up in order
    Buffer<cl_uint> extent; ///< first EXTENT_SIZE numbers, from EXTENT_NORM; zeros at first
};

/// How a device level finds words: fast, in arithmetic that suits the hardware, and proven.
///
/// Protocol: reserve, then run*, for no more rows than reserved. pack is followed by resume or
/// replace before the next run. One thread at a time. It keeps the buffers that it is given, which
/// are shared, but neither vocabulary nor options.
class DeviceScreen {
  public:
    virtual ~DeviceScreen() = default;

    /// The file of cl/ whose kernel searches.
    virtual std::string_view source() const = 0;

    /// Continues with another vocabulary of the same shape.
    /// @return false where it cannot: the caller makes another screen
    virtual bool replace(const Vocabulary & /*vocabulary*/, const Buffer<float> & /*centroids*/) {
        return false;
    }

    /// Queues the packing of these centroids in place of the current ones.
    /// @return false where it cannot: then nothing changes
    virtual bool pack(const DeviceCentroids & /*centroids*/) { return false; }

    /// Continues with the packed centroids. @param extent  their extent, downloaded
    virtual void resume(const DeviceCentroids & /*centroids*/,
                        std::span<const cl_uint> /*extent*/) {}

    /// Makes room for launches of up to `rows` rows; 0 frees the memory.
    virtual void reserve(std::size_t rows) = 0;

    /// Queues the launches that write and count the words which are proven and list every other
    /// row in `unproven`, for the rule to decide. Does not wait.
    virtual void run(const DeviceDescriptors &x, const DeviceWords &found) = 0;

    /// A counter that run() adds to, or null: the rows that its first look could not prove, and
    /// that it settled among a few contenders. They count as unproven, as those of the rule do.
    virtual const Buffer<cl_uint> *contested() const { return nullptr; }
};

/// Prepares a screen for a vocabulary, of which `centroids` is the copy on the device (k×D).
using MakeScreen = std::function<std::unique_ptr<DeviceScreen>(
    const std::shared_ptr<Device> &device, const Vocabulary &vocabulary,
    const Buffer<float> &centroids, const AssignOptions &options)>;

} // namespace bowhist
