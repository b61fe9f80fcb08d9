#pragma once

#include <bowhist/device/buffer.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/device/session.hpp>
#include <bowhist/device/staging.hpp>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

class Staging;
class Uploads;

/// Work-items in each dimension.
using Range = std::array<std::size_t, 2>;

/// How often a kernel was launched and how long the device says that it ran.
struct LaunchTotal {
    std::size_t launches = 0;
    double seconds = 0;
};

/// Launches by label, and how long the device was at them.
struct LaunchLog {
    std::map<std::string, LaunchTotal> kernels;
    double span_seconds = 0; ///< from the first one's start to the last one's end
};

/// Launches that are queued, and what was queued with them: all of it has ended when `end` has.
struct QueuedLaunches {
    std::vector<std::pair<std::string, cl::Event>> launches = {}; ///< with their labels
    cl::Event end = {};

    /// Or failed. To ask now and then costs no core; to wait does where the driver spins.
    bool have_ended() const;
};

/// One user's way to an OpenCL device: launches run in order, uploads may overlap them. Not
/// thread-safe; each thread makes its own, over one session (session.hpp), and what was downloaded
/// or finished in one may be used in another. Its destructor waits for what was launched: PoCL, for
/// one, kills a process that ends while it works.
///
/// Every method @throws Error{Fault::device} with the OpenCL call and its code; the ones that make
/// or fill a buffer OutOfMemory where that is the reason.
class Device {
  public:
    explicit Device(const DeviceOptions &options);
    ~Device();
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    const DeviceInfo &info() const { return session_->info(); }
    const DeviceLimits &limits() const { return limits_; }
    /// The premises of its compiler and driver, measured when the first Device over its session is
    /// made.
    const Premises &premises() const { return *premises_; }
    /// From now on the device counts as one without fp64: its float64 arithmetic was found wrong.
    void withdraw_fp64() { limits_.fp64 = false; }
    /// As Session's.
    bool verdict(const std::string &check, const std::function<bool()> &make) {
        return session_->verdict(check, make);
    }
    /// As Session's (leave.hpp).
    bool leave() { return session_->leave(); }
    bool has_left() const { return session_->has_left(); }
    void fail_at_launch(std::size_t n) { session_->fail_at_launch(n); }
    bool failed_at_launch() const { return session_->failed_at_launch(); }
    /// Whether files of a kernel_dir stand in for the built-in ones.
    bool has_own_kernels() const { return !session_->kernel_dir().empty(); }

    /// Memory that is there: a driver may put it off until the first use, so this uses it.
    template <typename T>
    Buffer<T> allocate(std::size_t size) {
        return {allocate_bytes(size * sizeof(T)), size};
    }
    /// Sets whether allocate() clears its memory, for checks of kernels: old memory may hold just
    /// what a kernel that does nothing should have written.
    void clear_allocations(bool clear) { clears_allocations_ = clear; }
    /// Host to device, after everything launched before; returns when the data may change again.
    /// @param first  the element of the buffer to begin with
    template <typename T>
    void upload(const Buffer<T> &to, std::span<const T> from, std::size_t first = 0) {
        write_bytes(to.memory, first * sizeof(T), from.data(), from.size_bytes(), false);
    }
    /// Whether upload_ahead() overlaps launches: not where the device shares the host's memory.
    bool overlaps() const { return !info().shares_memory; }
    /// The same without waiting; later launches wait for it. No earlier launch may use the buffer.
    template <typename T>
    void upload_ahead(const Buffer<T> &to, std::span<const T> from, std::size_t first = 0) {
        write_bytes(to.memory, first * sizeof(T), from.data(), from.size_bytes(), true);
    }
    /// Signals when all that was launched has ended.
    cl::Event mark();
    void await(const cl::Event &mark);
    /// Later launches wait for what another thread uploads.
    void follow(const cl::Event &arrival);
    /// For another thread.
    std::unique_ptr<Uploads> uploads();
    /// A buffer of `bytes` that another thread may fill.
    std::unique_ptr<StagedBuffer> staged(std::size_t bytes);
    /// Later launches wait for what was sent.
    void await(const StagedBuffer &staged);
    /// For downloads, and for upload_later().
    std::unique_ptr<PinnedMemory> pinned(std::size_t bytes);
    /// After everything launched before, too, but returns at once: `from` stays as it is until the
    /// event.
    /// @param first  as above
    template <typename T>
    cl::Event upload_later(const Buffer<T> &to, std::span<const T> from, std::size_t first = 0) {
        return queue_write(to.memory, first * sizeof(T), from.data(), from.size_bytes());
    }
    /// Device to host, after everything launched before; returns when the data is there.
    template <typename T>
    void download(std::span<T> to, const Buffer<T> &from, std::size_t first = 0) {
        read_bytes(from.memory, first * sizeof(T), to.data(), to.size_bytes(), queue_);
    }
    /// The same, but returns at once: the data is there at the event.
    template <typename T>
    cl::Event download_later(std::span<T> to, const Buffer<T> &from) {
        return queue_read(from.memory, to.data(), to.size_bytes());
    }
    /// As download(), but not after what was launched before: the caller has awaited what wrote the
    /// data.
    template <typename T>
    void download_ended(std::span<T> to, const Buffer<T> &from) {
        read_bytes(from.memory, 0, to.data(), to.size_bytes(), side_queue());
    }
    /// The buffer's first elements to another one, on the device.
    /// @param to  the element there to begin with
    template <typename T>
    void copy(const Buffer<T> &from, std::size_t size, const Buffer<T> &there, std::size_t to) {
        copy_bytes(from.memory, size * sizeof(T), there.memory, to * sizeof(T));
    }
    /// `size` elements for the launches that follow at once: the next call may hand out the same
    /// memory. It is kept, since a release may wait for all that is queued.
    template <typename T>
    Buffer<T> scratch(std::size_t size) {
        if (clears_allocations_ || scratch_.size < size * sizeof(T))
            scratch_ = allocate<cl_uchar>(size * sizeof(T));
        return {scratch_.memory, size};
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
    /// @throws BuildFailure with the compiler's log as detail when it does not build
    Kernel kernel(const std::string &file, const std::string &entry,
                  const std::string &options = {}) {
        return session_->kernel(file, entry, options);
    }

    /// Launches over at least `global` work-items, rounded up to whole groups of `group`, or of
    /// fewer work-items where the kernel takes any and the device no such many.
    /// @throws RefusedGroup where its source demands a size that the device refuses
    template <typename... Arguments>
    void launch(Kernel &kernel, Range global, Range group, const Arguments &...arguments) {
        cl_uint index = 0;
        (set_argument(kernel, index++, arguments), ...);
        enqueue(kernel, global, group);
    }

    /// The launches since the last call of this or the next; waits for them to end.
    LaunchLog take_launches() { return await(take_queued()); }
    /// The same, without waiting.
    QueuedLaunches take_queued();
    LaunchLog await(const QueuedLaunches &queued);
    /// Waits for them, too, without their times: to ask for those of many launches takes longer
    /// than the launches do.
    void drop_launches();

  private:
    friend class Bundle;

    /// Some bytes of a buffer as a buffer of its own, which keeps the whole one alive.
    /// @param first  a multiple of alignment()
    cl::Buffer part(const cl::Buffer &whole, std::size_t first, std::size_t bytes);
    std::size_t alignment() const; ///< bytes
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
    void write_bytes(const cl::Buffer &to, std::size_t offset, const void *from, std::size_t bytes,
                     bool ahead);
    bool has_staging();
    void await_uploads();
    cl::Event queue_write(const cl::Buffer &to, std::size_t offset, const void *from,
                          std::size_t bytes);
    cl::Event queue_read(const cl::Buffer &from, void *to, std::size_t bytes);
    const cl::CommandQueue &side_queue();
    void read_bytes(const cl::Buffer &from, std::size_t offset, void *to, std::size_t bytes,
                    const cl::CommandQueue &queue);
    void copy_bytes(const cl::Buffer &from, std::size_t bytes, const cl::Buffer &to,
                    std::size_t offset);
    void fill_bytes(const cl::Buffer &buffer, const void *value, std::size_t value_bytes,
                    std::size_t bytes);
    void set_argument_bytes(Kernel &kernel, cl_uint index, std::size_t bytes, const void *value);
    void enqueue(Kernel &kernel, Range global, Range group);
    bool takes(const Kernel &kernel, Range global, Range group);
    RefusedGroup refused(const Kernel &kernel, Range group) const;

    std::shared_ptr<Session> session_;
    DeviceLimits limits_;
    const Premises *premises_ = nullptr; ///< the session's
    bool clears_allocations_ = false;
    cl::CommandQueue queue_;
    cl::CommandQueue side_queue_; ///< for what does not wait for the other; made when first used
    std::unique_ptr<Staging> staging_; ///< from the first upload that is large enough
    bool no_staging_ = false;          ///< it could not be had
    cl::Event arrival_;                ///< of what was uploaded ahead; null: nothing was
    Buffer<cl_uchar> scratch_;
    std::vector<std::pair<std::string, cl::Event>> launches_;
};

/// A new buffer with these values.
template <typename T>
Buffer<T> uploaded(Device &device, std::span<const T> values) {
    const Buffer<T> buffer = device.allocate<T>(values.size());
    device.upload(buffer, values);
    return buffer;
}
template <typename T>
Buffer<T> uploaded(Device &device, const std::vector<T> &values) {
    return uploaded(device, std::span(values));
}

/// All values of a buffer, after everything launched before.
template <typename T>
std::vector<T> downloaded(Device &device, const Buffer<T> &buffer) {
    std::vector<T> values(buffer.size);
    device.download(std::span(values), buffer);
    return values;
}

/// Makes the buffer hold at least `size` elements; its content is lost.
template <typename T>
void reserve(Device &device, Buffer<T> &buffer, std::size_t size) {
    if (buffer.size >= size) return;
    buffer = {}; // before its successor takes room
    buffer = device.allocate<T>(size);
}

/// The same as uploaded() in the buffer that is there, where it has this size.
template <typename T>
void renew(Device &device, Buffer<T> &buffer, const std::vector<T> &values) {
    if (buffer.size != values.size()) buffer = device.allocate<T>(values.size());
    device.upload<T>(buffer, values);
}

} // namespace bowhist
