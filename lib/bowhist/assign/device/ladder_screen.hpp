#pragma once

#include <bowhist/assign/device/device_screen.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// The demands of a ladder kernel on the device and the data.
struct KernelNeeds {
    bool transposed = false;            ///< one dimension of all descriptors after another
    std::size_t dimension_multiple = 1; ///< D must be a multiple of this
    bool descriptors_in_local_memory = false;
    bool centroids_in_constant_memory = false; ///< k is then done in passes
};

/// Why a kernel with such needs cannot run there; nothing when it can.
std::optional<std::string> ladder_obstacle(const KernelNeeds &needs, const Device &device,
                                           std::size_t dimensions);

/// Bytes that such a kernel's loops, and its transpose, move in global and constant memory.
double ladder_bytes(const KernelNeeds &needs, std::size_t n, std::size_t dimensions, std::size_t k);

/// Makes the screen of a kernel of the ladder.
/// @param source  its file of cl/
/// @throws Error{Fault::device} when AssignOptions::group asks for groups that do not fit
MakeScreen ladder_screen(std::string_view source, const KernelNeeds &needs);

} // namespace bowhist
