#pragma once

#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/level.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// Why no device level can assign D-dimensional descriptors to k words there; nothing when some
/// can.
std::optional<std::string> device_obstacle(const Device *device, std::size_t dimensions,
                                           std::size_t k);

/// Any device level: uploads batches, lets the level's screen find what it can prove, decides the
/// rest, counts on the device. decide.cl decides where the device has fp64 and keeps the rule
/// (rule_probe.hpp), else the host does, with a warning in the second case.
/// A batch goes in launches of some rows each. Where the device has memory of its own, the rows of
/// the next launch are uploaded while the kernels of this one run. Where that memory does not
/// suffice, it goes on with launches of half the size, with a warning: nothing of a batch is
/// counted before all its memory is there.
class DeviceAssigner : public Assigner {
  public:
    DeviceAssigner(std::shared_ptr<Device> device, const MakeScreen &make_screen,
                   Vocabulary vocabulary, const AssignOptions &options);
    Assignment run(const Batch &batch) override;

  private:
    struct Rows; ///< the part of a batch that one launch takes
    /// A launch's own part of the device's memory: one is filled while the other is read.
    struct Place {
        Buffer<float> descriptors;
        Buffer<cl_uint> image;
    };

    Assignment run_on_device(const Batch &batch);
    void reserve(std::size_t rows, std::size_t places);
    void release();
    void clear_histograms(std::size_t images);
    void make_room(std::size_t n);
    void upload(const Rows &rows, const Place &place, bool ahead);
    void launch(const Rows &rows, const Place &place);
    void collect(const Rows &rows, Assignment &result);
    void take_less(std::size_t failed, const Error &reason);
    void prepare_decide();
    void decide_on_device();
    /// @return the seconds it took
    double decide_on_host(const Rows &rows, Assignment &result) const;
    void take_times();
    void check_words(std::span<const std::int32_t> words) const;

    std::shared_ptr<Device> device_;
    Vocabulary vocabulary_;
    Observer *observer_;
    std::size_t batch_rows_;       ///< most rows a launch; halved when memory does not suffice
    std::optional<Kernel> decide_; ///< none where the host decides
    Buffer<float> centroids_;
    std::unique_ptr<DeviceScreen> screen_;
    std::vector<Place> places_;
    DeviceRows device_rows_;        ///< of the launch at hand
    std::size_t reserved_rows_ = 0; ///< what each place and its words hold
};

} // namespace bowhist
