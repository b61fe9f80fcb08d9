#pragma once

#include <bowhist/assign/level.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_descriptors.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

/// Why no level can assign D-dimensional descriptors to k words there; nothing when some can.
std::optional<std::string> device_obstacle(const Device *device, std::size_t dimensions,
                                           std::size_t k);

/// Words of descriptors that lie on a device: a level's screen finds what it can prove, and the
/// rule decides the rest. It runs on the device (decide.cl) where that has fp64 and keeps the rule
/// (rule_probe.hpp), else on the host. A device that breaks the rule is warned of.
///
/// Protocol: as DeviceScreen's. One thread at a time.
class DeviceSearch {
  public:
    DeviceSearch(std::shared_ptr<Device> device, MakeScreen make_screen,
                 const Vocabulary &vocabulary, const AssignOptions &options);

    const Vocabulary &vocabulary() const { return vocabulary_; }
    /// Continues with another of the same k and D.
    void replace(const Vocabulary &vocabulary);

    /// As DeviceScreen's, where the device decides; vocabulary() keeps the old values.
    bool pack(const DeviceCentroids &centroids) {
        return decide_ && screen_->pack(centroids); // the host would decide by vocabulary()
    }
    void resume(const DeviceCentroids &centroids, std::span<const cl_uint> extent);
    /// The current ones, k×D.
    const Buffer<float> &centroids() const { return centroids_; }

    std::string_view source() const { return screen_->source(); }

    /// Makes room for calls of up to `rows` descriptors; 0 frees the memory.
    void reserve(std::size_t rows);

    /// Assigns x, counts the words in found.histograms and lists in found.unproven the rows that
    /// the rule decided. Queued: it waits only where the host decides.
    /// @param x      of the vocabulary's dimension; its count is at most its capacity
    /// @param found  room for x.capacity words and bags×k counts
    /// @return the seconds that the host took
    /// @throws Error{Fault::input} for another dimension; Error{Fault::device}
    double assign(const DeviceDescriptors &x, const DeviceWords &found);

    /// Rows that the screen settled among a few contenders since the previous call. Waits.
    std::uint64_t contested();
    /// The same into an element of a buffer. Queued.
    void put_contested(const Buffer<cl_uint> &there, std::size_t to);

  private:
    void prepare_decide();
    void decide_on_device(const DeviceDescriptors &x, const DeviceWords &found);
    double decide_on_host(const DeviceDescriptors &x, const DeviceWords &found);

    std::shared_ptr<Device> device_;
    MakeScreen make_screen_;
    Vocabulary vocabulary_;
    AssignOptions options_;        ///< its observer outlives the search
    std::optional<Kernel> decide_; ///< nothing where the host decides
    Buffer<float> centroids_;
    std::unique_ptr<DeviceScreen> screen_;
    std::size_t screen_rows_ = 0; ///< what the screen has room for
};

} // namespace bowhist
