#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

/// Whether a selector means devices that are to share the work: "all", or a list with commas.
bool means_several(const std::string &selector);

/// The numbers of the devices that it means, each once: of "all" those of all devices, of a list in
/// its order. An entry of a list is what select_device() takes.
/// @throws Error{Fault::device} as select_device(); Error{Fault::usage} for an empty entry
std::vector<std::size_t> device_numbers(const std::string &selector);

} // namespace bowhist
