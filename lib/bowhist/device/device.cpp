#include <bowhist/core/round_up.hpp>
#include <bowhist/device/buffer.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/staging.hpp>
#include <bowhist/device/uploads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bowhist {
namespace {

// Less than this is there before pinned memory would pay.
constexpr std::size_t least_staged_bytes = std::size_t{1} << 20;

cl::NDRange whole_groups(Range global, Range group) {
    return {round_up(global[0], group[0]), round_up(global[1], group[1])};
}

std::size_t items_of(Range group) {
    return group[0] * group[1];
}

/// Rows first: neighbours along one read memory together.
Range halved(Range group) {
    std::size_t &side = group[1] > 1 ? group[1] : group[0];
    side /= 2;
    return group;
}

} // namespace

Device::Device(const DeviceOptions &options)
    : session_(Session::open(options)), limits_(session_->limits()), queue_(checked(info(), [&] {
          return cl::CommandQueue(session_->context(), session_->device(),
                                  CL_QUEUE_PROFILING_ENABLE);
      })) {
    premises_ = &session_->premises([this] { return measure_premises(*this); });
    limits_.fp64 = limits_.fp64 && premises_->float64;
    limits_.loop_steps = std::min(limits_.loop_steps, premises_->loop_steps);
}

Device::~Device() {
    clFinish(queue_()); // a destructor cannot report errors
}

cl::Buffer Device::allocate_bytes(std::size_t bytes) {
    return checked_memory(info(), [&] {
        if (bytes > limits_.free_bytes)
            throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer");
        const std::size_t size = std::max<std::size_t>(bytes, 4); // OpenCL knows no empty buffers
        const cl::Buffer buffer(session_->context(), CL_MEM_READ_WRITE, size);
        queue_.enqueueFillBuffer<cl_uchar>(buffer, 0, 0, clears_allocations_ ? size : 1);
        return buffer;
    });
}

cl::Buffer Device::part(const cl::Buffer &whole, std::size_t first, std::size_t bytes) {
    return checked_memory(info(), [&] {
        const cl_buffer_region region = {first, bytes};
        return cl::Buffer(whole).createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                                 &region);
    });
}

std::size_t Device::alignment() const {
    return checked(info(), [&] {
        return session_->device().getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8; // given in bits
    });
}

void Device::write_bytes(const cl::Buffer &to, std::size_t offset, const void *from,
                         std::size_t bytes, bool ahead) {
    if (bytes == 0) return;
    checked_memory(info(), [&] {
        if (bytes < least_staged_bytes || !has_staging()) {
            await_uploads();
            queue_.enqueueWriteBuffer(to, CL_TRUE, offset, bytes, from);
            return;
        }
        if (!ahead) queue_.finish();
        arrival_ = staging_->finish(*staging_->start(to, offset, from, bytes));
        if (!ahead) await_uploads();
    });
}

std::unique_ptr<StagedBuffer> Device::staged(std::size_t bytes) {
    const auto buffer = allocate<cl_uchar>(bytes);
    checked(info(), [&] { queue_.finish(); }); // what allocate() wrote must not come after send()'s
    return std::make_unique<StagedBuffer>(session_, buffer);
}

void Device::follow(const cl::Event &arrival) {
    checked(info(), [&] {
        await_uploads(); // of this thread
        arrival_ = arrival;
        await_uploads();
    });
}

void Device::await(const StagedBuffer &staged) {
    follow(staged.arrival());
}

std::unique_ptr<Uploads> Device::uploads() {
    return std::make_unique<Uploads>(session_, overlaps());
}

std::unique_ptr<PinnedMemory> Device::pinned(std::size_t bytes) {
    return checked(info(), [&] {
        return std::make_unique<PinnedMemory>(session_->context(), session_->device(), bytes);
    });
}

/// Makes it first, once. Without pinned memory for it, uploads go without.
bool Device::has_staging() {
    if (!overlaps() || staging_ || no_staging_) return staging_ != nullptr;
    try {
        staging_ = std::make_unique<Staging>(session_->context(), session_->device());
    } catch (const cl::Error &) {
        no_staging_ = true;
    }
    return !no_staging_;
}

/// Nothing queued from now on runs before what was uploaded is there.
void Device::await_uploads() {
    if (arrival_() == nullptr) return;
    const std::vector<cl::Event> arrival{arrival_};
    queue_.enqueueBarrierWithWaitList(&arrival);
    arrival_ = {};
}

cl::Event Device::queue_write(const cl::Buffer &to, std::size_t offset, const void *from,
                              std::size_t bytes) {
    return checked(info(), [&] {
        await_uploads();
        cl::Event sent;
        queue_.enqueueWriteBuffer(to, CL_FALSE, offset, bytes, from, nullptr, &sent);
        return sent;
    });
}

cl::Event Device::queue_read(const cl::Buffer &from, void *to, std::size_t bytes) {
    return checked(info(), [&] {
        cl::Event here;
        queue_.enqueueReadBuffer(from, CL_FALSE, 0, bytes, to, nullptr, &here);
        return here;
    });
}

const cl::CommandQueue &Device::side_queue() {
    if (side_queue_() == nullptr)
        side_queue_ = checked(
            info(), [&] { return cl::CommandQueue(session_->context(), session_->device()); });
    return side_queue_;
}

void Device::read_bytes(const cl::Buffer &from, std::size_t offset, void *to, std::size_t bytes,
                        const cl::CommandQueue &queue) {
    if (bytes == 0) return;
    checked(info(), [&] { queue.enqueueReadBuffer(from, CL_TRUE, offset, bytes, to); });
}

void Device::copy_bytes(const cl::Buffer &from, std::size_t bytes, const cl::Buffer &to,
                        std::size_t offset) {
    checked(info(), [&] { queue_.enqueueCopyBuffer(from, to, 0, offset, bytes); });
}

void Device::fill_bytes(const cl::Buffer &buffer, const void *value, std::size_t value_bytes,
                        std::size_t bytes) {
    if (bytes == 0) return;
    checked_memory(info(), [&] {
        const cl_int code = clEnqueueFillBuffer(queue_(), buffer(), value, value_bytes, 0, bytes, 0,
                                                nullptr, nullptr);
        if (code != CL_SUCCESS) throw cl::Error(code, "clEnqueueFillBuffer");
    });
}

Texture Device::allocate_texture(std::size_t width, std::size_t height) {
    return checked(info(), [&] {
        const cl::ImageFormat format(CL_RGBA, CL_FLOAT);
        return Texture{cl::Image2D(session_->context(), CL_MEM_READ_WRITE, format, width, height),
                       width, height};
    });
}

void Device::copy(const Buffer<float> &from, const Texture &to) {
    checked(info(), [&] {
        queue_.enqueueCopyBufferToImage(from.memory, to.memory, 0, {0, 0, 0},
                                        {to.width, to.height, 1});
    });
}

void Device::set_argument_bytes(Kernel &kernel, cl_uint index, std::size_t bytes,
                                const void *value) {
    checked(info(), [&] { kernel.function.setArg(index, bytes, value); });
}

RefusedGroup Device::refused(const Kernel &kernel, Range group) const {
    const std::size_t most = std::min(limits_.work_group_size, kernel.work_group_size);
    return RefusedGroup(
        fmt::format("{}: {} does not run in groups of {} work-items{}; try another --device",
                    info().name, kernel.label, items_of(group),
                    most < items_of(group) ? fmt::format(" (at most {})", most) : ""));
}

/// Whether the driver takes it: that depends on what the built kernel needs. A driver takes larger
/// groups than its device states for a kernel (an H100 256, rusticl 32).
bool Device::takes(const Kernel &kernel, Range global, Range group) {
    cl::Event event;
    try {
        session_->count_launch();
        queue_.enqueueNDRangeKernel(kernel.function, cl::NullRange, whole_groups(global, group),
                                    cl::NDRange(group[0], group[1]), nullptr, &event);
    } catch (const cl::Error &error) {
        const bool too_large =
            error.err() == CL_INVALID_WORK_GROUP_SIZE || error.err() == CL_INVALID_WORK_ITEM_SIZE;
        const bool perhaps = error.err() == CL_OUT_OF_RESOURCES &&
                             (kernel.any_group || items_of(group) > kernel.work_group_size);
        if (items_of(group) > 1 && (too_large || perhaps)) return false;
        throw;
    }
    launches_.emplace_back(kernel.label, event);
    return true;
}

void Device::enqueue(Kernel &kernel, Range global, Range group) {
    const std::size_t most = std::min(limits_.work_group_size, kernel.most_items);
    while (kernel.any_group && items_of(group) > most) group = halved(group);
    if (items_of(group) > most) throw refused(kernel, group);
    checked(info(), [&] {
        await_uploads();
        while (!takes(kernel, global, group)) {
            if (!kernel.any_group) throw refused(kernel, group);
            group = halved(group);
            kernel.most_items = items_of(group);
        }
    });
}

cl::Event Device::mark() {
    return checked(info(), [&] {
        cl::Event end;
        queue_.enqueueMarkerWithWaitList(nullptr, &end);
        queue_.flush();
        return end;
    });
}

void Device::await(const cl::Event &mark) {
    checked(info(), [&] { mark.wait(); });
}

bool QueuedLaunches::have_ended() const {
    cl_int status = CL_COMPLETE;
    const cl_int code =
        clGetEventInfo(end(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    return code != CL_SUCCESS || status <= CL_COMPLETE;
}

QueuedLaunches Device::take_queued() {
    return checked(info(), [&] { return QueuedLaunches{std::exchange(launches_, {}), mark()}; });
}

LaunchLog Device::await(const QueuedLaunches &queued) {
    LaunchLog log;
    checked(info(), [&] {
        queued.end.wait();
        cl_ulong first_start = std::numeric_limits<cl_ulong>::max();
        cl_ulong last_end = 0;
        for (const auto &[label, event] : queued.launches) {
            event.wait(); // an H200 once had no times yet, while other threads uploaded
            const cl_ulong start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
            const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            LaunchTotal &total = log.kernels[label];
            ++total.launches;
            total.seconds += 1e-9 * static_cast<double>(end - start);
            first_start = std::min(first_start, start);
            last_end = std::max(last_end, end);
        }
        if (!queued.launches.empty())
            log.span_seconds = 1e-9 * static_cast<double>(last_end - first_start);
    });
    return log;
}

void Device::drop_launches() {
    checked(info(), [&] { queue_.finish(); });
    launches_.clear();
}

} // namespace bowhist
