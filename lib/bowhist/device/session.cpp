#include <bowhist/device/session.hpp>

#include <bowhist/device/buffer.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/device/pocl_cache.hpp>
#include <bowhist/device/ptx.hpp>
#include <bowhist/io/free_memory.hpp>

namespace bowhist {
namespace {

/// A device that shares the host's memory knows neither the process's limits nor those of its
/// control groups. @throws Error{Fault::device} where there is no room to compile kernels
void fit_to_free_memory(DeviceInfo &info) {
    constexpr std::uint64_t mebibyte = 1 << 20;
    constexpr std::uint64_t compiler = 128 * mebibyte;
    const std::uint64_t free = free_memory();
    if (free < compiler)
        throw Error(Fault::device,
                    fmt::format("{}: compiling kernels takes some {} MiB of memory, and {} are "
                                "free; give it more",
                                info.name, compiler / mebibyte, free / mebibyte));
    info.maximum_allocation = std::min<std::uint64_t>(info.maximum_allocation, free / 4);
}

} // namespace

std::shared_ptr<Session> Session::open(const DeviceOptions &options) {
    static std::mutex mutex;
    static std::map<std::pair<cl_device_id, std::filesystem::path>, std::weak_ptr<Session>> kept;
    const std::lock_guard lock(mutex); // a loader may look for devices on one thread only
    if (options.limits || options.kind || options.staged || options.alone)
        return std::make_shared<Session>(options);
    const cl::Device device = checked({}, [&] { return select_device(options.selector).device; });
    std::weak_ptr<Session> &slot = kept[{device(), options.kernel_dir}];
    std::shared_ptr<Session> session = slot.lock();
    if (!session) slot = session = std::make_shared<Session>(options);
    return session;
}

Session::Session(const DeviceOptions &options) : kernel_dir_(options.kernel_dir) {
    if (!kernel_dir_.empty()) check_kernel_dir(kernel_dir_);
    checked(info_, [&] {
        const Selection selection = select_device(options.selector);
        device_ = selection.device;
        prepare_to_build(device_);
        info_ = describe(device_, selection.number);
        context_ = cl::Context(device_);
    });
    info_.kind = options.kind.value_or(info_.kind);
    info_.shares_memory = !options.staged.value_or(!info_.shares_memory);
    if (info_.kind == DeviceKind::cpu) fit_to_free_memory(info_);
    limits_ = options.limits.value_or(DeviceLimits{.constant_bytes = info_.constant_buffer,
                                                   .local_bytes = info_.local_memory,
                                                   .allocation_bytes = info_.maximum_allocation,
                                                   .work_group_size = info_.work_group_size,
                                                   .fp64 = info_.fp64 && info_.subnormals});
}

void Session::count_launch() {
    constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();
    std::size_t left = launches_left_;
    while (left != endless && left > 1 && !launches_left_.compare_exchange_weak(left, left - 1)) {
    }
    if (left > 1) return;
    launches_left_ = 0;
    throw cl::Error(CL_DEVICE_NOT_AVAILABLE, "clEnqueueNDRangeKernel");
}

Kernel Session::kernel(const std::string &file, const std::string &entry,
                       const std::string &options) {
    const cl::Program built = program(file, options);
    Kernel kernel{{}, entry};
    try {
        kernel.function = cl::Kernel(built, entry.c_str());
    } catch (const cl::Error &error) {
        throw BuildFailure(fmt::format("{}: no kernel \"{}\" in it: {}; repair it", file, entry,
                                       opencl_error_name(error.err())));
    }
    checked(info_, [&] {
        kernel.work_group_size =
            kernel.function.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
        kernel.any_group =
            kernel.function.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device_)[0] == 0;
    });
    return kernel;
}

const Premises &Session::premises(const std::function<Premises()> &measure) {
    const std::lock_guard lock(verdicts_mutex_);
    if (!premises_) premises_ = measure();
    return *premises_;
}

bool Session::verdict(const std::string &check, const std::function<bool()> &make) {
    const std::lock_guard lock(verdicts_mutex_);
    if (const auto known = verdicts_.find(check); known != verdicts_.end()) return known->second;
    const bool found = make(); // which may ask for another
    return verdicts_[check] = found;
}

cl::Program Session::program(const std::string &file, const std::string &options) {
    const auto key = std::pair(kernel_source(file, kernel_dir_), options);
    const std::lock_guard lock(programs_mutex_);
    if (const auto built = programs_.find(key); built != programs_.end()) return built->second;
    cl::Program program = checked(info_, [&] { return cl::Program(context_, key.first); });
    try {
        program.build({device_}, options.c_str());
    } catch (const cl::Error &error) {
        throw BuildFailure(
            fmt::format("{} does not build on {}: {}, for reasons given below; repair it or try "
                        "another --device",
                        file, info_.name, opencl_error_name(error.err())),
            program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_));
    }
    if (has_covered_ptx(key.first)) program = uncover(program, file);
    return programs_[key] = program;
}

cl::Program Session::uncover(const cl::Program &program, const std::string &file) const {
    const std::vector<unsigned char> compiled =
        checked(info_, [&] { return program.getInfo<CL_PROGRAM_BINARIES>().at(0); });
    const std::string ptx = uncovered_ptx({compiled.begin(), compiled.end()});
    cl::Program uncovered;
    try {
        uncovered = cl::Program(context_, {device_}, {{ptx.begin(), ptx.end()}});
        uncovered.build({device_});
    } catch (const cl::Error &error) {
        throw BuildFailure(
            fmt::format("the uncovered PTX of {} does not build on {}: {}; the assembler's log "
                        "follows",
                        file, info_.name, opencl_error_name(error.err())),
            uncovered() != nullptr ? uncovered.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_) : "");
    }
    return uncovered;
}

} // namespace bowhist
