#pragma once

#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/level.hpp>

#include <optional>
#include <string>

namespace bowhist {

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
