#pragma once

#include <bowhist/device/opencl.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bowhist {

enum class DeviceKind { cpu, gpu, accelerator, other };

/// A device as OpenCL reports it: what a kernel author needs to know. Bytes, unless said otherwise.
struct DeviceInfo {
    std::size_t number = 0; ///< its place in devices(): what `--device N` means
    DeviceKind kind = DeviceKind::other;
    std::string name;
    std::string platform;
    std::string vendor;
    std::string driver;
    std::string opencl_version;   ///< "OpenCL 3.0 ..."
    std::string opencl_c_version; ///< "OpenCL C 1.2 ..."
    std::uint32_t compute_units = 0;
    std::uint32_t clock_megahertz = 0;
    std::uint64_t global_memory = 0;
    bool shares_memory = false; ///< global memory is the host's own
    std::uint64_t maximum_allocation = 0;
    std::uint64_t cache = 0;       ///< of global memory
    std::string local_memory_type; ///< "local" (of its own) or "global" (cached)
    std::uint64_t local_memory = 0;
    std::uint64_t constant_buffer = 0;
    std::size_t work_group_size = 0; ///< work-items
    std::vector<std::size_t> work_item_sizes;
    std::size_t preferred_multiple = 0; ///< work-items a group should be a multiple of
    std::uint32_t preferred_float_vector = 0;
    bool fp64 = false;
    bool subnormals = false;       ///< float32 keeps numbers below 2^-126
    bool rounds_to_nearest = true; ///< float32 does; embedded devices may chop
    bool fp16 = false;
    bool int64_atomics = false;
    bool images = false;
    std::uint32_t compute_capability = 0; ///< NVIDIA's, 90 for 9.0; 0 elsewhere
    bool avx512_vnni = false; ///< a CPU that multiplies 16-bit integers two a lane (vpdpwssd)
    std::string extensions;
};

/// All devices of all platforms, in the loader's order; none when there is no OpenCL here.
std::vector<DeviceInfo> devices();

/// Whether there is one, and a GPU among them; they ask nothing else and so are quick.
bool any_device();
bool any_gpu();

/// Whether the kernel shows a GPU whose maker's driver is registered. Loads no driver.
bool shows_gpu_with_driver();

/// A line for each GPU that the kernel shows here and OpenCL does not, with the remedy.
/// @param any_gpu  false: OpenCL has none, and need not be asked
std::vector<std::string> gpus_without_driver(bool any_gpu = true);

/// "cpu", "gpu", "accelerator", "other".
std::string name_of(DeviceKind kind);

/// Whether a selector means devices that are to share the work: "all", or a list with commas.
bool means_several(const std::string &selector);

/// The numbers of the devices that it means, each once: of "all" those of all devices, of a list in
/// its order. An entry of a list is what select_device() takes.
/// @throws Error{Fault::device} as select_device(); Error{Fault::usage} for an empty entry
std::vector<std::size_t> device_numbers(const std::string &selector);

/// A device and its place in devices().
struct Selection {
    cl::Device device;
    std::size_t number = 0;
};

/// The device that `selector` means: a number, "cpu" or "gpu", part of a name (any case), or, when
/// empty, the first GPU, else the first device. A selector of several devices
/// (device_selection.hpp) means the first of them.
/// @throws Error{Fault::device} saying which devices there are
Selection select_device(const std::string &selector);

/// Asks a device for everything but its preferred multiple, which takes a built kernel.
DeviceInfo describe(const cl::Device &device, std::size_t number);

} // namespace bowhist
