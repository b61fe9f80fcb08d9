#pragma once

#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/device/premises.hpp>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace bowhist {

/// Makes a process that shares its machine with others take the GPU of this turn, counted round the
/// machine's GPUs, where no device is asked for. To be called before any device is selected.
void take_device_turn(std::size_t turn);

/// The limits of a kernel: the device's, unless a test forces smaller ones.
struct DeviceLimits {
    std::uint64_t constant_bytes = 0;   ///< one constant buffer
    std::uint64_t local_bytes = 0;      ///< local memory of a work-group
    std::uint64_t allocation_bytes = 0; ///< one buffer
    std::size_t work_group_size = 0;    ///< work-items
    bool fp64 = false; ///< and it is IEEE 754's; float32 operands reach it whole, subnormals too
    std::uint64_t loop_steps =
        std::numeric_limits<std::uint64_t>::max(); ///< that a nest of loops takes at least
    std::uint64_t free_bytes =
        std::numeric_limits<std::uint64_t>::max(); ///< one more buffer; only the driver knows how
                                                   ///< much there is, so forced or none
};

struct DeviceOptions {
    std::string selector = {}; ///< a number, part of a name (any case), "cpu" or "gpu"; empty: the
                               ///< first GPU, else the first device
    std::filesystem::path kernel_dir = {};   ///< .cl files that stand in for the built-in ones
    std::optional<DeviceLimits> limits = {}; ///< in place of the device's own
    std::optional<DeviceKind> kind = {};     ///< likewise: kernels are chosen by it
    std::optional<bool> staged = {}; ///< likewise: whether uploads pass through pinned memory
    bool alone = false;              ///< a session of its own, as if it were another device
};

/// A kernel, compiled; `label` names its launches in the log.
struct Kernel {
    cl::Kernel function;
    std::string label;
    std::size_t work_group_size = 0; ///< work-items that a group of it may have, its device says
    bool any_group = false;          ///< its source demands no size of group, and so counts on none
    std::size_t most_items = std::numeric_limits<std::size_t>::max(); ///< of a group, as was learnt
};

/// An OpenCL device as all its users in a process share it: its context, so that buffers cross from
/// one user to another, and its programs, each built once. Thread-safe. A user that launches
/// something makes a Device of its own over it.
class Session {
  public:
    /// The session of the device and the kernel_dir that is in use already, else a new one.
    /// One with forced limits is never shared.
    static std::shared_ptr<Session> open(const DeviceOptions &options);

    explicit Session(const DeviceOptions &options);

    const DeviceInfo &info() const { return info_; }
    const DeviceLimits &limits() const { return limits_; }
    const std::filesystem::path &kernel_dir() const { return kernel_dir_; }
    const cl::Device &device() const { return device_; }
    const cl::Context &context() const { return context_; }

    /// Marks that the device failed, and that others do its work. @return whether it is the first
    /// time
    bool leave() { return !has_left_.exchange(true); }
    bool has_left() const { return has_left_; }
    /// For tests: the n-th launch from now on and all later ones fail, on any queue.
    void fail_at_launch(std::size_t n) { launches_left_ = n; }
    bool failed_at_launch() const { return launches_left_ == 0; }
    /// To be called before each launch. @throws cl::Error where a test demands it
    void count_launch();

    /// As Device::kernel. The kernel is the caller's own.
    Kernel kernel(const std::string &file, const std::string &entry, const std::string &options);

    /// The premises that `measure` finds: once, then remembered.
    const Premises &premises(const std::function<Premises()> &measure);
    /// The verdict of a check of the device, by its name: made once, then remembered.
    bool verdict(const std::string &check, const std::function<bool()> &make);

  private:
    cl::Program program(const std::string &file, const std::string &options);
    /// The program with the covered lines of its PTX (ptx.hpp).
    cl::Program uncover(const cl::Program &program, const std::string &file) const;

    std::filesystem::path kernel_dir_;
    cl::Device device_;
    cl::Context context_;
    DeviceInfo info_;
    DeviceLimits limits_;
    std::atomic<bool> has_left_ = false;
    std::atomic<std::size_t> launches_left_ = std::numeric_limits<std::size_t>::max();
    std::mutex programs_mutex_;
    std::map<std::pair<std::string, std::string>, cl::Program> programs_;
    std::recursive_mutex verdicts_mutex_;
    std::map<std::string, bool> verdicts_;
    std::optional<Premises> premises_;
};

} // namespace bowhist
