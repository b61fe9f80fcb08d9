#pragma once

#include <bowhist/device/buffer.hpp>
#include <bowhist/device/device_info.hpp>
#include <bowhist/device/texture.hpp>

#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// What a kernel may use. From the device, unless a test forces smaller ones.
struct DeviceLimits {
    std::uint64_t constant_bytes = 0;   ///< one constant buffer
    std::uint64_t local_bytes = 0;      ///< local memory of a work-group
    std::uint64_t allocation_bytes = 0; ///< one buffer
    std::size_t work_group_size = 0;    ///< work-items
    bool fp64 =
        false; ///< and float32 operands reach it whole: subnormals are not flushed on the way
    std::uint64_t free_bytes =
        std::numeric_limits<std::uint64_t>::max(); ///< one more buffer; only the driver knows how
                                                   ///< much there is, so forced or none
};

struct DeviceOptions {
    std::string selector = {}; ///< a number, part of a name (any case), "cpu" or "gpu"; empty: the
                               ///< first GPU, else the first device
    std::filesystem::path kernel_dir = {};   ///< .cl files that stand in for the built-in ones
    std::optional<DeviceLimits> limits = {}; ///< in place of the device's own
    std::optional<DeviceKind> kind = {};     ///< likewise: what suits which is chosen by it
};

/// A kernel, compiled; `label` names its launches in the log.
struct Kernel {
    cl::Kernel function;
    std::string label;
};

/// Work-items in each dimension.
using Range = std::array<std::size_t, 2>;

/// How often a kernel was launched and how long the device says that it ran.
struct LaunchTotal {
    std::size_t launches = 0;
    double seconds = 0;
};

/// What was launched, by label, and how long the device was at it.
struct LaunchLog {
    std::map<std::string, LaunchTotal> kernels;
    double span_seconds = 0; ///< from the first one's start to the last one's end
};

/// One OpenCL device with a queue of its own: launches run in order. Not thread-safe. Its
/// destructor waits for what was launched: PoCL, for one, kills a process that ends while it works.
///
/// Every method @throws Error{Fault::device} with the OpenCL call and its code; the ones that make
/// or fill a buffer OutOfMemory where that is the reason.
class Device {
  public:
    explicit Device(const DeviceOptions &options);
    ~Device();
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    const DeviceInfo &info() const { return info_; }
    const DeviceLimits &limits() const { return limits_; }
    /// From now on the device counts as one without fp64: its float64 arithmetic was found wrong.
    void withdraw_fp64() { limits_.fp64 = false; }
    /// What a check says of the device, by its name: made once, then remembered.
    bool verdict(const std::string &check, const std::function<bool()> &make);
    /// Whether files of a kernel_dir stand in for the built-in ones.
    bool has_own_kernels() const { return !kernel_dir_.empty(); }

    /// Memory that is there: a driver may put it off until the first use, so this uses it.
    template <typename T>
    Buffer<T> allocate(std::size_t size) {
        return {allocate_bytes(size * sizeof(T)), size};
    }
    /// Whether allocate() sets all that it hands out to zero from now on. What lay there before may
    /// be just what a kernel that does nothing should have written: for checks of kernels.
    void clear_allocations(bool clear) { clears_allocations_ = clear; }
    /// Host to device; returns when the data may change again.
    template <typename T>
    void upload(const Buffer<T> &to, std::span<const T> from) {
        write_bytes(to.memory, from.data(), from.size_bytes());
    }
    /// Device to host, after everything launched before; returns when the data is there.
    template <typename T>
    void download(std::span<T> to, const Buffer<T> &from) {
        read_bytes(from.memory, to.data(), to.size_bytes());
    }
    template <typename T>
    void fill(const Buffer<T> &buffer, T value, std::size_t size) {
        fill_bytes(buffer.memory, &value, sizeof(T), size * sizeof(T));
    }

    /// Only where info().images says that there are any.
    Texture allocate_texture(std::size_t width, std::size_t height);
    /// Fills the texture, row by row, from 4·width·height floats.
    void copy(const Buffer<float> &from, const Texture &to);

    /// The kernel `entry` of a file of cl/, built once for each (source, options).
    /// @throws Error{Fault::device} with the compiler's log as detail when it does not build
    Kernel kernel(const std::string &file, const std::string &entry,
                  const std::string &options = {});

    /// Launches over at least `global` work-items, rounded up to whole groups of `group`.
    template <typename... Arguments>
    void launch(Kernel &kernel, Range global, Range group, const Arguments &...arguments) {
        cl_uint index = 0;
        (set_argument(kernel, index++, arguments), ...);
        enqueue(kernel, global, group);
    }

    /// What was launched since the last call; waits for it to end.
    LaunchLog take_launches();

  private:
    template <typename T>
    void set_argument(Kernel &kernel, cl_uint index, const T &value) {
        set_argument_bytes(kernel, index, sizeof(T), &value);
    }
    template <typename T>
    void set_argument(Kernel &kernel, cl_uint index, const Buffer<T> &buffer) {
        set_argument_bytes(kernel, index, sizeof(cl_mem), &buffer.memory());
    }
    void set_argument(Kernel &kernel, cl_uint index, const Texture &texture) {
        set_argument_bytes(kernel, index, sizeof(cl_mem), &texture.memory());
    }
    cl::Buffer allocate_bytes(std::size_t bytes);
    void write_bytes(const cl::Buffer &to, const void *from, std::size_t bytes);
    void read_bytes(const cl::Buffer &from, void *to, std::size_t bytes);
    void fill_bytes(const cl::Buffer &buffer, const void *value, std::size_t value_bytes,
                    std::size_t bytes);
    void set_argument_bytes(Kernel &kernel, cl_uint index, std::size_t bytes, const void *value);
    void enqueue(const Kernel &kernel, Range global, Range group);
    cl::Program build(const std::string &file, const std::string &options);
    /// The program with the covered lines of its PTX (ptx.hpp).
    cl::Program uncover(const cl::Program &program, const std::string &file);

    DeviceInfo info_;
    DeviceLimits limits_;
    std::filesystem::path kernel_dir_;
    bool clears_allocations_ = false;
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
    std::map<std::pair<std::string, std::string>, cl::Program> programs_;
    std::vector<std::pair<std::string, cl::Event>> launches_;
    std::map<std::string, bool> verdicts_;
};

} // namespace bowhist
