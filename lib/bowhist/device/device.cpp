#include <bowhist/core/error.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_description.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/device/ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bowhist {
namespace {

std::string failure(const DeviceInfo &info, const cl::Error &error) {
    return fmt::format("{}: {} failed with {}; try another --device", info.name, error.what(),
                       opencl_error_name(error.err()));
}

/// Runs `call`; an OpenCL error becomes one that names the device.
template <typename Call>
auto checked(const DeviceInfo &info, Call &&call) {
    try {
        return call();
    } catch (const cl::Error &error) {
        throw Error(Fault::device, failure(info, error));
    }
}

/// The same for a call that takes memory. After a launch these codes may mean a kernel that broke,
/// so that launches and downloads are not among them.
template <typename Call>
auto checked_memory(const DeviceInfo &info, Call &&call) {
    try {
        return call();
    } catch (const cl::Error &error) {
        switch (error.err()) {
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_OUT_OF_RESOURCES:
        case CL_OUT_OF_HOST_MEMORY:
        case CL_INVALID_BUFFER_SIZE:
            throw OutOfMemory(failure(info, error));
        default:
            throw Error(Fault::device, failure(info, error));
        }
    }
}

cl::NDRange whole_groups(Range global, Range group) {
    return {round_up(global[0], group[0]), round_up(global[1], group[1])};
}

} // namespace

Device::Device(const DeviceOptions &options) : kernel_dir_(options.kernel_dir) {
    if (!kernel_dir_.empty()) check_kernel_dir(kernel_dir_);
    checked(info_, [&] {
        const Selection selection = select_device(options.selector);
        device_ = selection.device;
        info_ = describe(device_, selection.number);
        info_.kind = options.kind.value_or(info_.kind);
        context_ = cl::Context(device_);
        queue_ = cl::CommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE);
    });
    limits_ = options.limits.value_or(DeviceLimits{
        info_.constant_buffer, info_.local_memory, info_.maximum_allocation, info_.work_group_size,
        info_.fp64 && info_.subnormals, std::numeric_limits<std::uint64_t>::max()});
}

bool Device::verdict(const std::string &check, const std::function<bool()> &make) {
    if (const auto known = verdicts_.find(check); known != verdicts_.end()) return known->second;
    return verdicts_[check] = make();
}

Device::~Device() {
    clFinish(queue_()); // what it may say was told by the calls before, or is of no use any more
}

cl::Buffer Device::allocate_bytes(std::size_t bytes) {
    return checked_memory(info_, [&] {
        if (bytes > limits_.free_bytes)
            throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer");
        const std::size_t size = std::max<std::size_t>(bytes, 4); // OpenCL knows no empty buffers
        const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, size);
        queue_.enqueueFillBuffer<cl_uchar>(buffer, 0, 0, clears_allocations_ ? size : 1);
        return buffer;
    });
}

void Device::write_bytes(const cl::Buffer &to, const void *from, std::size_t bytes) {
    if (bytes == 0) return;
    checked_memory(info_, [&] { queue_.enqueueWriteBuffer(to, CL_TRUE, 0, bytes, from); });
}

void Device::read_bytes(const cl::Buffer &from, void *to, std::size_t bytes) {
    if (bytes == 0) return;
    checked(info_, [&] { queue_.enqueueReadBuffer(from, CL_TRUE, 0, bytes, to); });
}

void Device::fill_bytes(const cl::Buffer &buffer, const void *value, std::size_t value_bytes,
                        std::size_t bytes) {
    if (bytes == 0) return;
    checked_memory(info_, [&] {
        const cl_int code = clEnqueueFillBuffer(queue_(), buffer(), value, value_bytes, 0, bytes, 0,
                                                nullptr, nullptr);
        if (code != CL_SUCCESS) throw cl::Error(code, "clEnqueueFillBuffer");
    });
}

Texture Device::allocate_texture(std::size_t width, std::size_t height) {
    return checked(info_, [&] {
        const cl::ImageFormat format(CL_RGBA, CL_FLOAT);
        return Texture{cl::Image2D(context_, CL_MEM_READ_WRITE, format, width, height), width,
                       height};
    });
}

void Device::copy(const Buffer<float> &from, const Texture &to) {
    checked(info_, [&] {
        queue_.enqueueCopyBufferToImage(from.memory, to.memory, 0, {0, 0, 0},
                                        {to.width, to.height, 1});
    });
}

void Device::set_argument_bytes(Kernel &kernel, cl_uint index, std::size_t bytes,
                                const void *value) {
    checked(info_, [&] { kernel.function.setArg(index, bytes, value); });
}

void Device::enqueue(const Kernel &kernel, Range global, Range group) {
    checked(info_, [&] {
        if (group[0] * group[1] > limits_.work_group_size)
            throw cl::Error(CL_INVALID_WORK_GROUP_SIZE, "clEnqueueNDRangeKernel");
        cl::Event event;
        queue_.enqueueNDRangeKernel(kernel.function, cl::NullRange, whole_groups(global, group),
                                    cl::NDRange(group[0], group[1]), nullptr, &event);
        launches_.emplace_back(kernel.label, event);
    });
}

Kernel Device::kernel(const std::string &file, const std::string &entry,
                      const std::string &options) {
    const cl::Program program = build(file, options);
    try {
        return {cl::Kernel(program, entry.c_str()), entry};
    } catch (const cl::Error &error) {
        throw Error(Fault::device, fmt::format("{}: no kernel \"{}\" in it: {}; repair it", file,
                                               entry, opencl_error_name(error.err())));
    }
}

cl::Program Device::build(const std::string &file, const std::string &options) {
    const auto key = std::pair(kernel_source(file, kernel_dir_), options);
    if (const auto built = programs_.find(key); built != programs_.end()) return built->second;
    cl::Program program = checked(info_, [&] { return cl::Program(context_, key.first); });
    try {
        program.build({device_}, options.c_str());
    } catch (const cl::Error &error) {
        throw Error(Fault::device,
                    fmt::format("{} does not build on {}: {}, for reasons given below; repair it "
                                "or try another --device",
                                file, info_.name, opencl_error_name(error.err())),
                    program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_));
    }
    if (has_covered_ptx(key.first)) program = uncover(program, file);
    return programs_[key] = program;
}

cl::Program Device::uncover(const cl::Program &program, const std::string &file) {
    const std::vector<unsigned char> compiled =
        checked(info_, [&] { return program.getInfo<CL_PROGRAM_BINARIES>().at(0); });
    const std::string ptx = uncovered_ptx({compiled.begin(), compiled.end()});
    cl::Program uncovered;
    try {
        uncovered = cl::Program(context_, {device_}, {{ptx.begin(), ptx.end()}});
        uncovered.build({device_});
    } catch (const cl::Error &error) {
        throw Error(Fault::device,
                    fmt::format("the uncovered PTX of {} does not build on {}: {}; the "
                                "assembler's log follows",
                                file, info_.name, opencl_error_name(error.err())),
                    uncovered() != nullptr ? uncovered.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_)
                                           : "");
    }
    return uncovered;
}

LaunchLog Device::take_launches() {
    LaunchLog log;
    checked(info_, [&] {
        queue_.finish();
        cl_ulong first_start = std::numeric_limits<cl_ulong>::max();
        cl_ulong last_end = 0;
        for (const auto &[label, event] : launches_) {
            const cl_ulong start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
            const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            LaunchTotal &total = log.kernels[label];
            ++total.launches;
            total.seconds += 1e-9 * static_cast<double>(end - start);
            first_start = std::min(first_start, start);
            last_end = std::max(last_end, end);
        }
        if (!launches_.empty())
            log.span_seconds = 1e-9 * static_cast<double>(last_end - first_start);
    });
    launches_.clear();
    return log;
}

} // namespace bowhist
