#include <bowhist/device/device_selection.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/drivers/driver.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/device/gpu_nodes.hpp>
#include <bowhist/device/pocl_cache.hpp>
#include <bowhist/device/session.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace bowhist {
namespace {

DeviceKind kind_of(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceKind::gpu;
    if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceKind::cpu;
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return DeviceKind::accelerator;
    return DeviceKind::other;
}

/// Only a built kernel knows its preferred multiple, so an empty one is built to ask.
std::size_t preferred_multiple(const cl::Device &device) {
    try {
        prepare_to_build(device);
        const cl::Context context(device);
        const cl::Program program(context, "kernel void probe(global int *out) { *out = 0; }",
                                  true);
        return cl::Kernel(program, "probe")
            .getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device);
    } catch (const cl::Error &) {
        return 0; // a device without a compiler
    }
}

std::uint32_t nvidia_attribute(const cl::Device &device, cl_device_info name) {
    cl_uint value = 0;
    clGetDeviceInfo(device(), name, sizeof value, &value, nullptr);
    return value;
}

/// OpenCL does not say so; but a CPU that is a device is the one that this runs on.
bool host_has_avx512_vnni() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512vnni") != 0;
#else
    return false;
#endif
}

} // namespace

DeviceInfo describe(const cl::Device &device, std::size_t number) {
    DeviceInfo info;
    info.number = number;
    info.kind = kind_of(device.getInfo<CL_DEVICE_TYPE>());
    info.name = device.getInfo<CL_DEVICE_NAME>();
    info.platform = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    info.vendor = device.getInfo<CL_DEVICE_VENDOR>();
    info.driver = device.getInfo<CL_DRIVER_VERSION>();
    info.opencl_version = device.getInfo<CL_DEVICE_VERSION>();
    info.opencl_c_version = device.getInfo<CL_DEVICE_OPENCL_C_VERSION>();
    info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    info.clock_megahertz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
    info.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    info.shares_memory = device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() == CL_TRUE;
    info.maximum_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    info.local_memory_type =
        device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL ? "local" : "global";
    info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    info.cache = device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
    info.constant_buffer = device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>();
    info.work_group_size = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    info.work_item_sizes = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    info.preferred_float_vector = device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>();
    info.extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    const auto has = [&](const char *extension) {
        return info.extensions.find(extension) != std::string::npos;
    };
    info.fp64 = has("cl_khr_fp64");
    const cl_device_fp_config float32 = device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>();
    info.subnormals = (float32 & CL_FP_DENORM) != 0;
    info.rounds_to_nearest = (float32 & CL_FP_ROUND_TO_NEAREST) != 0;
    info.fp16 = has("cl_khr_fp16");
    info.int64_atomics = has("cl_khr_int64_base_atomics");
    info.avx512_vnni = info.kind == DeviceKind::cpu && host_has_avx512_vnni();
    info.images = device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_TRUE;
    if (has("cl_nv_device_attribute_query"))
        info.compute_capability =
            10 * nvidia_attribute(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) +
            nvidia_attribute(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
    return info;
}

std::vector<DeviceInfo> devices() {
    std::vector<DeviceInfo> all;
    for (const cl::Device &device : opencl_devices()) {
        all.push_back(describe(device, all.size()));
        all.back().preferred_multiple = preferred_multiple(device);
    }
    return all;
}

bool any_device() {
    return !opencl_devices().empty();
}

bool any_gpu() {
    return std::ranges::any_of(opencl_devices(), [](const cl::Device &device) {
        return kind_of(device.getInfo<CL_DEVICE_TYPE>()) == DeviceKind::gpu;
    });
}

bool shows_gpu_with_driver() {
    return any_has_driver(gpu_nodes(), installed_drivers());
}

std::vector<std::string> gpus_without_driver(bool any_gpu) {
    const std::vector<GpuNode> nodes = gpu_nodes();
    if (nodes.empty()) return {}; // without a look at OpenCL, then
    std::vector<OpenclGpu> gpus;
    for (const cl::Device &device : any_gpu ? opencl_devices() : std::vector<cl::Device>())
        if (kind_of(device.getInfo<CL_DEVICE_TYPE>()) == DeviceKind::gpu)
            gpus.push_back(
                {device.getInfo<CL_DEVICE_VENDOR_ID>(),
                 device.getInfo<CL_DEVICE_VENDOR>() + " " + device.getInfo<CL_DEVICE_NAME>()});
    return gpus_without_driver(nodes, gpus, tried_drivers());
}

std::string name_of(DeviceKind kind) {
    switch (kind) {
    case DeviceKind::cpu:
        return "cpu";
    case DeviceKind::gpu:
        return "gpu";
    case DeviceKind::accelerator:
        return "accelerator";
    case DeviceKind::other:
        return "other";
    }
    return "other";
}

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// The kind of device that a selector names, if it names one.
std::optional<cl_device_type> kind_meant(const std::string &selector) {
    if (selector == "cpu") return CL_DEVICE_TYPE_CPU;
    if (selector == "gpu") return CL_DEVICE_TYPE_GPU;
    return std::nullopt;
}

bool is_number(const std::string &selector) {
    return selector.find_first_not_of("0123456789") == std::string::npos;
}

bool matches(const cl::Device &device, const std::string &selector) {
    if (is_number(selector)) return false; // and not the 512 of a name
    if (const auto kind = kind_meant(selector))
        return (device.getInfo<CL_DEVICE_TYPE>() & *kind) != 0;
    return lower(device.getInfo<CL_DEVICE_NAME>()).find(selector) != std::string::npos;
}

[[noreturn]] void no_device_here() {
    std::string bad;
    std::string printed;
    for (const BadDriver &driver : tried_drivers().bad) {
        const DriverNews news = news_of(driver);
        bad += (bad.empty() ? "" : "; ") + news.line;
        printed += fmt::format("{}{}", printed.empty() ? "" : "\n", fmt::join(news.printed, "\n"));
    }
    take_driver_news(); // said with the error
    if (!bad.empty()) throw Error(Fault::device, "no OpenCL device is left: " + bad, printed);
    const auto without_driver = gpus_without_driver();
    throw Error(Fault::device,
                "no OpenCL device here; " +
                    (without_driver.empty() ? remedy_without_device() : without_driver.front()));
}

[[noreturn]] void nothing_matches(const std::string &selector,
                                  const std::vector<cl::Device> &devices) {
    if (devices.empty()) no_device_here();
    if (selector == "gpu")
        for (const std::string &line : gpus_without_driver()) throw Error(Fault::device, line);
    std::string names;
    for (std::size_t number = 0; number < devices.size(); ++number)
        names += fmt::format("{}{} {}", number == 0 ? "" : ", ", number,
                             devices[number].getInfo<CL_DEVICE_NAME>());
    throw Error(Fault::device, fmt::format("no OpenCL device matches \"{}\"; choose one of: {}",
                                           excerpt(selector), names));
}

constexpr std::string_view all_devices = "all";

/// The parts of a list with commas.
std::vector<std::string> entries_of(const std::string &selector) {
    std::vector<std::string> entries(1);
    for (const char letter : selector)
        if (letter == ',')
            entries.emplace_back();
        else
            entries.back() += letter;
    return entries;
}

std::size_t own_turn = 0;

/// The GPU of this process's turn, where there are any.
std::optional<Selection> gpu_in_turn(const std::vector<cl::Device> &devices) {
    std::vector<Selection> gpus;
    for (std::size_t number = 0; number < devices.size(); ++number)
        if (matches(devices[number], "gpu")) gpus.push_back({devices[number], number});
    if (gpus.empty()) return std::nullopt;
    return gpus[own_turn % gpus.size()];
}

Selection select_among(const std::vector<cl::Device> &devices, const std::string &selector) {
    if (selector.empty())
        if (const auto gpu = gpu_in_turn(devices)) return *gpu;
    const std::string wanted = lower(selector);
    for (std::size_t number = 0; number < devices.size(); ++number)
        if (std::to_string(number) == wanted) return {devices[number], number};
    if (selector.empty() && !devices.empty()) return {devices.front(), 0};
    for (std::size_t number = 0; number < devices.size(); ++number)
        if (matches(devices[number], wanted)) return {devices[number], number};
    nothing_matches(selector, devices);
}

} // namespace

void take_device_turn(std::size_t turn) {
    own_turn = turn;
}

bool means_several(const std::string &selector) {
    return lower(selector) == all_devices || selector.find(',') != std::string::npos;
}

std::vector<std::size_t> device_numbers(const std::string &selector) {
    const std::vector<cl::Device> devices = opencl_devices();
    std::vector<std::size_t> numbers;
    if (lower(selector) == all_devices) {
        if (devices.empty()) no_device_here();
        for (std::size_t number = 0; number < devices.size(); ++number) numbers.push_back(number);
        return numbers;
    }
    for (const std::string &entry : entries_of(selector)) {
        if (entry.empty() && selector != entry)
            throw Error(Fault::usage,
                        fmt::format("--device {}: an entry of the list is empty; give "
                                    "such as 0,2 or all",
                                    printable(selector)));
        const std::size_t number = select_among(devices, entry).number;
        if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    }
    return numbers;
}

Selection select_device(const std::string &selector) {
    const std::vector<cl::Device> devices = opencl_devices();
    if (!means_several(selector)) return select_among(devices, selector);
    const std::size_t first = device_numbers(selector).front();
    return {devices[first], first};
}

} // namespace bowhist
