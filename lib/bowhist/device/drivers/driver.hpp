#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// A driver (ICD) of OpenCL, as loaders find it.
struct Driver {
    std::string library;       ///< as its .icd says it: a path or a name
    std::filesystem::path icd; ///< the file that names it; empty: a variable does

    bool operator==(const Driver &) const = default;
    /// "/usr/lib/libx.so (named in /etc/OpenCL/vendors/x.icd)", or by a variable; printable.
    std::string name() const;
    /// The file that a loader would load; empty when it is not where loaders look first.
    std::filesystem::path file() const;
    bool is_pocl() const;
};

/// The drivers that a loader would load here: of OCL_ICD_VENDORS (a folder, an .icd or a library),
/// else of the folder OPENCL_VENDOR_PATH or /etc/OpenCL/vendors; and OCL_ICD_FILENAMES, which
/// Khronos's loader knows. In the order of their names.
std::vector<Driver> installed_drivers();

/// Why there may be no device here, and what to do about it: a variable that hides drivers or
/// devices comes first.
std::string remedy_without_device();

/// Writes an .icd for each driver into a folder: OCL_ICD_VENDORS for any loader.
/// @return whether all could be written
bool write_icds(const std::vector<Driver> &drivers, const std::filesystem::path &folder);

/// All that decides what drivers do, as far as it can be seen from outside: their files, sizes and
/// times, the loader and its helper, the nodes of GPUs, and the variables that drivers read. A
/// checksum.
/// @param more  of what the caller knows
std::string state_of(const std::vector<Driver> &drivers, const std::vector<std::string> &more);

} // namespace bowhist
