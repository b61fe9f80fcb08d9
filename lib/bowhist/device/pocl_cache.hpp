#pragma once

#include <bowhist/device/opencl.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

/// The folder in which PoCL keeps the kernels that it compiled.
struct PoclCache {
    std::filesystem::path folder; ///< may have to be made
    std::filesystem::path usual;  ///< where PoCL itself would keep them
    std::string complaint; ///< why it is one for this run, though the user may expect another; may
                           ///< be empty
};

/// Why PoCL, which then aborts, cannot work with a folder: no file can be made there, loaded from
/// there, or there is no room for kernels. Nothing when it can.
std::optional<std::string> pocl_folder_fault(const std::filesystem::path &folder);

/// PoCL's own folder where it can work with that, else one for this run. The first call sets
/// POCL_CACHE_DIR to it; it belongs before OpenCL begins.
const PoclCache &pocl_cache();

/// Names what PoCL lacks, and the remedy: a linker, a folder for kernels. Nothing when it has both.
std::optional<std::string> what_pocl_lacks();

/// The linker that PoCL calls; empty when PATH has none.
std::filesystem::path pocl_linker();

/// To be called before a device first builds kernels. Removes damaged kernels from PoCL's cache, as
/// a power cut may leave them: PoCL would abort on loading one. Reports the complaint of
/// pocl_cache() (drivers.hpp). Does nothing on other platforms.
void prepare_to_build(const cl::Device &device);

/// Removes the programs of a cache of PoCL's that are not whole. @return how many
std::size_t remove_damaged_programs(const std::filesystem::path &cache);

} // namespace bowhist
