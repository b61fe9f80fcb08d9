#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/device/gpu_nodes.hpp>
#include <bowhist/device/pocl_cache.hpp>

#include <algorithm>

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

} // namespace bowhist
