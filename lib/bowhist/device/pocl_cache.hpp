#pragma once

#include <bowhist/device/opencl.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace bowhist {

/// Where PoCL keeps the kernels that it compiled.
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

/// What PoCL lacks, and the remedy: a linker, a folder for kernels. Nothing when it has both.
std::optional<std::string> what_pocl_lacks();

/// The linker that PoCL calls; empty when PATH has none.
std::filesystem::path pocl_linker();

/// For each first use of a device to build kernels. PoCL would abort when it loads a damaged kernel
/// from its cache, as a power cut may leave one: those are removed. What pocl_cache() complains of
/// is said now (driver_news.hpp). Does nothing on other platforms.
void prepare_to_build(const cl::Device &device);

/// Removes the programs of a cache of PoCL's that are not whole. @return how many
std::size_t remove_damaged_programs(const std::filesystem::path &cache);

} // namespace bowhist
