#pragma once

#include <bowhist/device/drivers/sift.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// A GPU that the kernel shows, whether or not OpenCL has a driver for it.
struct GpuNode {
    std::filesystem::path node; ///< "/dev/nvidia0"
    std::uint32_t vendor = 0;   ///< of PCI: 0x10de; 0: unknown
};

/// NVIDIA's /dev/nvidiaN, AMD's /dev/kfd, and /dev/dri/renderDN of a maker whose GPUs have an
/// OpenCL driver. Screens without a GPU and those of virtual machines are not among them.
/// @param root  where /dev and /sys are
std::vector<GpuNode> gpu_nodes(const std::filesystem::path &root = "/");

/// Whether the maker of one of these GPUs has a driver among those that are registered.
bool any_has_driver(const std::vector<GpuNode> &nodes, const std::vector<Driver> &drivers);

/// A GPU's vendor, as OpenCL has it.
struct OpenclGpu {
    std::uint32_t vendor = 0; ///< CL_DEVICE_VENDOR_ID, for most of PCI
    std::string name;         ///< of the device and its vendor
};

/// A line for each maker of which a GPU is here, but none among OpenCL's.
/// @param report  on the drivers that are registered; of bad ones nothing is said again
std::vector<std::string> gpus_without_driver(const std::vector<GpuNode> &nodes,
                                             const std::vector<OpenclGpu> &with_driver,
                                             const DriverReport &report);

} // namespace bowhist
