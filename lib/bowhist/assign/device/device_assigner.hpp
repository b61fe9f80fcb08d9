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

/// Any device level: lets the level's screen find what it can prove, decides the rest, counts on
/// the device. decide.cl decides where the device has fp64 and keeps the rule (rule_probe.hpp),
/// else the host does, with a warning in the second case. A batch of the host's goes in launches of
/// some rows each. Where the device has memory of its own, the rows of the next launch are uploaded
/// while the kernels of this one run. Where that memory does not suffice, it goes on with launches
/// of half the size, with a warning: nothing of a batch is counted before all its memory is there.
class DeviceAssigner : public Assigner {
  public:
    DeviceAssigner(std::shared_ptr<Device> device, MakeScreen make_screen, Vocabulary vocabulary,
                   const AssignOptions &options);
    Assignment run(const Batch &batch) override;
    void replace(const Vocabulary &vocabulary) override;

    /// Makes words of what lies on the device, adds them to found.histograms and lists in
    /// found.unproven which took the rule. Queued: it waits only where the host decides.
    /// @param x      of the vocabulary's dimension
    /// @param found  room for x.capacity words and images×k counts
    void assign(const DeviceDescriptors &x, const DeviceWords &found);

  private:
    struct Rows; ///< the part of a batch that one launch takes

    Assignment run_on_device(const Batch &batch);
    void make_room(const Batch &batch, std::size_t n);
    void reserve(std::size_t rows, std::size_t places);
    void reserve_screen(std::size_t rows);
    void release();
    void clear_histograms(std::size_t images);
    void upload(const Rows &rows, const DeviceDescriptors &place, bool ahead);
    void launch(const Rows &rows, DeviceDescriptors place);
    void collect(std::span<std::int32_t> words);
    void take_less(std::size_t failed, const Error &reason);
    void prepare_decide();
    void decide_on_device(const DeviceDescriptors &x, const DeviceWords &found);
    void decide_on_host(const DeviceDescriptors &x, const DeviceWords &found);
    void take_times();
    void check_words(std::span<const std::int32_t> words) const;

    std::shared_ptr<Device> device_;
    MakeScreen make_screen_;
    Vocabulary vocabulary_;
    AssignOptions options_;
    std::size_t batch_rows_;       ///< most rows a launch; halved when memory does not suffice
    std::optional<Kernel> decide_; ///< none where the host decides
    Buffer<float> centroids_;
    std::unique_ptr<DeviceScreen> screen_;
    std::size_t screen_rows_ = 0; ///< what the screen has room for
    /// Of one launch each: one is filled while another is read; of a batch that stays, all.
    std::vector<DeviceDescriptors> places_;
    std::span<const float> kept_;   ///< the batch that lies in places_ as a whole, if any
    DeviceWords found_;             ///< of the launch at hand
    std::size_t reserved_rows_ = 0; ///< what each place and its words hold
};

} // namespace bowhist
